"""What `regard new` makes of the columns of somebody's data."""

from pathlib import Path

import pytest

from regard.cli.own_columns import columns_of, wanted_of
from regard.config.load import corpus_from_short_form
from regard.data.rows import Row
from regard.errors import ConfigError
from regard.tasks.catalogue import TASKS

SENTENCE = "the {n} small cats of the street were asleep on day {n}"
KOREAN = "나는 {n} 번 학교에 갔다"
TABLES = {
    "pairs.tsv": ("ko\ten", KOREAN, SENTENCE),
    "labels.tsv": ("text\tlabel", SENTENCE, "good"),
    "asked.tsv": ("question\tcontext\tanswers", "which cats were asleep on day {n}", SENTENCE, "cats"),
    "near.tsv": ("sentence1\tsentence2", SENTENCE, "on day {n} all the cats were asleep"),
}
TOLD = [
    ("pairs.tsv", {}, "", "translation", {"source": "ko", "target": "en"}),
    ("pairs.tsv", {"source": "en", "target": "ko"}, "", "translation", {"source": "en", "target": "ko"}),
    ("pairs.tsv", {"text": "en"}, "masked-language-model", "masked-language-model", {"text": "en"}),
    ("labels.tsv", {}, "", "classification", {"text": "text", "label": "label", "answer": "label"}),
    ("labels.tsv", {}, "language-model", "language-model", {"text": "text"}),
    ("asked.tsv", {}, "", "question-answering",
     {"question": "question", "text": "context", "answer": "answers"}),
    ("near.tsv", {}, "", "embedding", {"text": "sentence1", "second": "sentence2"}),
    ("plain.txt", {}, "", "language-model", {"text": "text"}),
    ("words.conll", {}, "", "tagging", {"text": "words", "label": "tags"}),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, (head, *cells) in TABLES.items():
        rows = ["\t".join(cell.format(n=n) for cell in cells) for n in range(30)]
        (tmp_path / name).write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    (tmp_path / "plain.txt").write_text("".join(f"{SENTENCE.format(n=n)}\n" for n in range(30)))
    (tmp_path / "words.conll").write_text("cats\tN\nsleep\tV\n\n" * 30)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("file", "given", "task", "found", "named"), TOLD)
@pytest.mark.usefixtures("folder")
def test_the_task_is_said_or_recognised(
    file: str, given: dict[str, str], task: str, found: str, named: dict[str, str]
) -> None:
    wanted = wanted_of(file, columns_of(file), given, task=task)
    assert (wanted.task, wanted.named) == (found, named)
    corpus = corpus_from_short_form(file)
    rows = list(wanted.schema(corpus).open(corpus, split="train"))
    assert len(rows) == 30
    assert all(isinstance(row, Row) for row in rows)
    assert (f"--task {found}" in wanted.flags()) == bool(task)


def test_every_task_is_offered() -> None:
    assert {found for *_, found, _ in TOLD} == {*TASKS}


@pytest.mark.parametrize(
    ("file", "given", "task", "told"),
    [
        ("labels.tsv", {}, "tagger", "--task: unknown value 'tagger'; did you mean 'tagging'"),
        ("pairs.tsv", {"source": "ko"}, "tagging", "--source is not for tagging, which has --text, --label"),
        (
            "near.tsv",
            {"text": "sentence2"},
            "embedding",
            "--text and --second are both 'sentence2'; name",
        ),
        ("asked.tsv", {"text": "question"}, "", "--question, --text and --answer name a column twice"),
        ("asked.tsv", {"label": "answer"}, "embedding", "no column is called 'answer'"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_does_not_fit_is_refused(file: str, given: dict[str, str], task: str, told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        wanted_of(file, columns_of(file), given, task=task)
    assert told in str(refused.value)


@pytest.mark.usefixtures("folder")
def test_answers_are_looked_for_where_no_column_says_where_they_begin() -> None:
    assert ("data.start", None) in wanted_of("asked.tsv", columns_of("asked.tsv"), {}).settings
