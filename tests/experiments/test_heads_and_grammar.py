"""Which heads follow which dependency: against counting by hand, and the whole in small."""

import gzip
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.tasks.test_filling import foreign  # noqa: F401  # a folder that transformers wrote

from regard.config.bert import BertConfig
from regard.config.load import Setting
from regard.config.text import BpeConfig
from regard.experiments.dependencies import ALL, Look, Parsed, chosen_scores, follow, read_parsed
from regard.experiments.heads_and_grammar import heads_and_grammar
from regard.experiments.reproduce import reproduce
from regard.models.bert import Bert
from regard.nn.trace import Trace
from regard.text.tokenizer import Tokenizer

SENTENCES = [
    Parsed(("나는", "어제", "책을", "읽었다"), ((0, 3, "nsubj"), (1, 3, "advmod"), (2, 3, "obj"))),
    Parsed(("그는", "책을", "읽었다"), ((0, 2, "nsubj"), (1, 2, "obj"))),
]
CONLLU = """1\t나는\t_\tPRON\t_\t_\t3\tnsubj:pass\t_\t_
2\t책을\t_\tNOUN\t_\t_\t3\tobj\t_\t_
3\t읽었다\t_\tVERB\t_\t_\t0\troot\t_\t_

1\t그는\t_\tPRON\t_\t_\t2\tnsubj\t_\t_
2\t갔다\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.learn(["나는 어제 책을 읽었다", "그는 책을 읽었다"], BpeConfig(vocabulary_size=300))


def make(tokenizer: Tokenizer) -> Bert:
    torch.manual_seed(3)
    config = BertConfig(width=12, heads=3, feed_forward=20, layers=2, places=40)
    return Bert(config, vocabulary_size=len(tokenizer)).requires_grad_(False)


def test_a_fixed_distance_by_hand(tokenizer: Tokenizer) -> None:
    found = follow(make(tokenizer), tokenizer, (2, 3), SENTENCES, (ALL, "nsubj", "obj"))
    assert found.totals.tolist() == [[3, 1, 1], [2, 1, 1]]
    obj = found.statistics(Look("+1", "head"), "obj")
    assert obj.value() == 100.0, "the verb stands right behind its object"
    assert found.statistics(Look("-1", "dependent"), "obj").value() == 100.0
    assert found.statistics(Look("+1", "head"), "nsubj").value() == 0.0
    assert found.statistics(Look("+2", "head"), "nsubj").value() == 50.0
    assert found.best("obj", heads=False) == Look("+1", "head")
    assert found.statistics(Look("+1", "head"), ALL).value() == 40.0


def looks_at(word: int, weights: torch.Tensor, spans: list[range]) -> int:
    scores = [
        sum(float(weights[q, k]) for q in spans[word] for k in span) / len(spans[word]) for span in spans
    ]
    scores[word] = -1.0
    return int(np.argmax(scores))


def test_heads_against_counting_one_by_one(tokenizer: Tokenizer) -> None:
    """The sum over the pieces of what is looked at, the mean over those that look; never the word itself."""
    model = make(tokenizer)
    found = follow(model, tokenizer, (2, 3), SENTENCES, (ALL, "nsubj"))
    for row, sentence in enumerate(SENTENCES):
        pieces = [tokenizer.encode_ids([word])[0] for word in sentence.words]
        ids = torch.tensor([[2, *(piece for word in pieces for piece in word), 3]])
        assert ids.shape[1] > len(sentence.words) + 2, "some words have several pieces"
        trace = Trace(model)
        model(ids, torch.tensor([ids.shape[1]]), trace=trace)
        ends = np.cumsum([1, *map(len, pieces)])
        spans = [range(a, b) for a, b in pairwise(ends.tolist())]
        for layer in range(2):
            for head in range(3):
                weights = trace.kept[f"encoder.{layer}.self"][0].weights[0, head].double()

                for direction in ("head", "dependent"):
                    ends_of = [(d, h) if direction == "head" else (h, d) for d, h, _ in sentence.arcs]
                    hits = sum(looks_at(start, weights, spans) == end for start, end in ends_of)
                    look = found.looks.index(Look(f"{layer}.{head}", direction))
                    assert found.hits[row, look, 0] == hits


def test_looks_are_chosen_on_other_sentences(tokenizer: Tokenizer) -> None:
    model = make(tokenizer)
    chosen = follow(model, tokenizer, (2, 3), SENTENCES[1:], (ALL, "nsubj"))
    measured = follow(model, tokenizer, (2, 3), SENTENCES[:1], (ALL, "nsubj"))
    scores = chosen_scores(chosen, measured)
    assert chosen.best("nsubj", heads=False).name == "+2"
    assert scores["fixed nsubj"].value() == 0.0, "here the subject is three words away"
    assert scores.keys() == {"head all", "fixed all", "head nsubj", "fixed nsubj"}


def test_treebanks(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    first, second = read_parsed(str(path))
    assert first == Parsed(("나는", "책을", "읽었다"), ((0, 2, "nsubj"), (1, 2, "obj")))
    assert second.arcs == ((0, 1, "nsubj"),)
    assert len(read_parsed(str(path), most=1)) == 1


TINY: list[Setting] = [
    ("model", {"kind": "bert", "width": 8, "heads": 2, "feed_forward": 12, "layers": 1, "places": 64,
               "pooler": False}),
    ("data.length", 32), ("text.vocabulary_size", 300), ("training.minutes", None), ("training.epochs", 1),
]  # fmt: skip


def test_the_whole_in_small(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    foreign: Path,  # noqa: F811
) -> None:
    monkeypatch.setenv("REGARD_DATA", str(tmp_path / "data"))
    for bank in ("ko_gsd", "en_ewt"):
        folder = tmp_path / "data" / "pos" / bank
        folder.mkdir(parents=True)
        for split in ("dev", "test"):
            (folder / f"{split}.conllu.gz").write_bytes(gzip.compress((CONLLU * 3).encode()))
    (tmp_path / "data" / "raw").mkdir()
    rows = "source\ttext\n" + "a\t나는 책을 읽었다\na\t그는 갔다\n" * 10
    (tmp_path / "data" / "raw" / "ko.tsv.gz").write_bytes(gzip.compress(rows.encode()))
    (tmp_path / "data" / "encoder").symlink_to(foreign)
    done = reproduce(heads_and_grammar(TINY, least=1), tmp_path / "out", seeds=1, quick=True, quiet=True)
    assert [finding.name for finding in done.findings] == [
        "heads follow relations", "it is learned", "heads of the given encoder follow relations",
        "no head follows all",
    ]  # fmt: skip
    values = {f"{part.world}/{part.system}": part.values for part in done.parts}
    assert values.keys() == {"korean/trained", "korean/chance", "given/folder"}
    assert values["korean/trained"]["fixed nsubj"] == values["korean/chance"]["fixed nsubj"]
    assert values["given/folder"]["fixed obj"] == 100.0
