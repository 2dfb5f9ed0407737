"""Commands in the docs: all are read by the real command line, and those that can run here do."""

import gzip
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.test_options import COMMANDS
from tests.conftest import Make, Run
from tests.documented import PAGES, Documented, commands_of, examples_of, parse
from tests.examples import cells
from tests.store.convert.marian_folder import write_marian_folder
from tests.store.convert.test_heads import CLASSIFIERS, FINDERS, TAGGERS, written
from tests.tasks.tiny_encoder import write_tiny_encoder
from tests.training.test_masked_language_model import TINY

import regard

WRITTEN = [
    *(command for page in PAGES for command in commands_of(page)),
    *(example for name, command in COMMANDS.items() for example in examples_of(command, name)),
]


def test_commands_are_found() -> None:
    pages = {command.page for command in WRITTEN}
    assert pages >= {"README.md", "README.ko.md", "import-export.md", "regard look -h"}
    assert len(WRITTEN) > 400


@pytest.mark.parametrize(
    "page", sorted({command.page for command in WRITTEN}), ids=lambda page: page.replace(" ", "-")
)
def test_every_command_is_one_that_there_is(page: str) -> None:
    for command in WRITTEN:
        if command.page == page:
            try:
                parse(command.arguments)
            except Exception as error:
                pytest.fail(f"{page}: {command.line}\n{type(error).__name__}: {error}")


RUNS = {
    "translate", "classify", "tag", "complete", "fill", "embed", "score", "answer", "look", "similarity",
    "causes", "recipes", "data", "doctor", "import", "export", "runs",
}  # fmt: skip
"""Commands that are quick. Those that train are read only, as are those of models that are not here."""
NOT_HERE = {
    "Helsinki-NLP/": "comes from the network",
    "owner/name": "likewise",
    "--over-training": "the run has kept no checkpoints",
    "--explain 3": "what the small model writes has fewer words",
    "iconv -f utf-8 -t cp949": "shows a mistake",
    "--word letter": "it may write another word",
    "--word book": "likewise",
}
SIDES = {"ko": "저는 달을 봤어요.\n그는 책을 읽었다.\n", "en": "I saw the moon.\nHe read the book.\n"}
PAIRS = (
    "ko\ten\tsource\n저는 달을 봤어요.\tI saw the moon.\tbible\n그는 책을 읽었다.\tHe read a book.\tnews\n"
)
TEXTS = {
    "text.txt": "저는 달을 봤어요.\n그는 책을 읽었다.\n",
    "sentences.txt": "저는 달을 봤어요.\n\n그는 책을 읽었다.\n",
    "page.txt": "저는 <b>달을</b> 봤어요. 그는 책을 읽었다.\n",
    "terms.tsv": "달\tmoon\n",
    "texts.txt": "나는 [MASK]에 간다.\n",
    "reviews.txt": "이 책은 아주 좋다.\n",
    "beginnings.txt": "나는\n\n",
    "words.jsonl": json.dumps(["책을", "읽었다"], ensure_ascii=False) + "\n",
    "pairs.csv": "ko,en\n" + "저는 달을 봤어요.,I saw the moon.\n" * 3,
    "pairs.tsv": PAIRS,
    "questions.tsv": "누가 잤니?\t민수는 잤다.\n",
    "questions.jsonl": '{"question": "누가 잤니?", "text": "민수는 잤다."}\n',
    "ours.tsv": "저는 달을 봤어요.\tI saw the moon.\n그는 책을 읽었다.\tHe read the book.\n",
    "stsb/test.tsv": "sentence1\tsentence2\tscore\na b\tc d\t0\na\tb\t3\nd\td e\t5\n",
    **{f"{part}.{side}": text for part in ("train", "dev") for side, text in SIDES.items()},
    **{f"{name}.txt": text for name, text in zip("ab", SIDES.values(), strict=True)},
    **{f"corpora/koen/{part}.tsv": PAIRS for part in ("train", "dev", "test")},
    "reviews.csv": "review,stars\n이 책은 아주 좋다.,5\n저 책은 나쁘다.,1\n",
}


@pytest.fixture(scope="module")
def models(
    trained: Path,
    opinions: Path,
    parts_of_speech: Path,
    language_run: Path,
    made_once: Make,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Path]:
    """Small models by the names that the docs have for such ones."""
    folder = tmp_path_factory.mktemp("models")
    tiny = write_tiny_encoder(folder / "tiny")
    write_marian_folder(folder / "marian", steps=20)
    for name, heads in (("labels", CLASSIFIERS), ("tags", TAGGERS), ("answers", FINDERS)):
        written(heads, "bert", folder / name)

    def bert(out: Path) -> object:
        return regard.train("bert-tiny", out=out, set_=[*TINY, "training.epochs=1"], quiet=True)

    filler = made_once("fills", bert)
    return {
        **dict.fromkeys(["runs/demo", "runs/a", "runs/b"], trained),
        **dict.fromkeys(["runs/mood", "runs/self-attentive", "runs/sentiment"], opinions),
        **dict.fromkeys(["runs/tags", "runs/tagger", "runs/looking"], parts_of_speech),
        **dict.fromkeys(["runs/lm", "runs/lm-lstm", "runs/lm-transformer"], language_run),
        **dict.fromkeys(["runs/bert", "runs/bert-tiny"], filler),
        **dict.fromkeys(["minilm", "downloads/all-MiniLM-L6-v2"], tiny),
        **dict.fromkeys(["ko-en", "opus-mt-de-en", "downloads/opus-mt-ko-en"], folder / "marian"),
        "downloads/distilbert-sst2": folder / "labels",
        "downloads/roberta-mnli": folder / "labels",
        "downloads/bert-ner": folder / "tags",
        **dict.fromkeys(["downloads/roberta-squad", "runs/qa", "runs/questions"], folder / "answers"),
    }


def runs_here(command: Documented, there: Callable[[str], bool]) -> bool:
    name, *rest = command.arguments or ("",)
    if name not in RUNS or any(why in command.line for why in NOT_HERE):
        return False
    first = next((word for word in rest if not word.startswith("-")), "")
    if name == "data":
        return "100000" not in rest
    return name == "recipes" or there(first)


RUNNING = [
    "README.md", "attention.md", "bert.md", "causes.md", "classification.md", "corpora.md", "data.md",
    "decoding.md", "embedding.md", "import-export.md", "index.md", "korean.md", "language-models.md",
    "pictures.md", "questions.md", "tagging.md", "translation.md", "weights.md",
]  # fmt: skip


SLOW = {"data.md", "decoding.md", "embedding.md", "korean.md", "pictures.md", "translation.md"}


@cells("page", RUNNING, quick=[page for page in RUNNING if page not in SLOW])
def test_commands_of_a_page_run(
    page: str, run: Run, models: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, model in models.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(model)
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        with gzip.open(tmp_path / f"{name}.gz", "wt", encoding="utf-8") as packed:
            packed.write(text)
    monkeypatch.chdir(tmp_path)
    done = 0
    for command in WRITTEN:
        if command.page != page or not runs_here(command, lambda name: (tmp_path / name).exists()):
            continue
        if command.arguments[0] in ("import", "export"):  # which make a new folder
            (tmp_path / command.arguments[2]).unlink(missing_ok=True)
        given = subprocess.run(["bash", "-c", command.given], capture_output=True, check=False).stdout
        ended = run(*command.arguments, text=given)
        assert ended.returncode == 0, f"{command.line}\n{ended.stderr}"
        if command.into:
            Path(command.into).write_text(ended.stdout, encoding="utf-8")
        done += 1
    assert done
