import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import sacrebleu

import regard
from regard.config.data import BuiltinCorpus, DataConfig
from regard.data.alignments import AlignedRow, gold_links
from regard.data.pairs import Pair, read_pairs
from regard.errors import ConfigError, DataError
from regard.evaluation.test_set import TestSet
from regard.metrics.alignment import AER, alignment_error_rate
from regard.tasks.translation.evaluator import TranslationEvaluation, TranslationEvaluator
from regard.tasks.translation.predictor import Translator

CORPUS = {"kind": "builtin", "rows": 120, "max_words": 3}
SMALL = BuiltinCorpus(rows=120, max_words=3)


@pytest.fixture(scope="module")
def measured(translator: Translator) -> TranslationEvaluation:
    found = regard.evaluate(translator, CORPUS, by=["constructions"], quiet=True)
    assert isinstance(found, TranslationEvaluation)
    return found


def test_the_scores_are_those_of_sacrebleu(measured: TranslationEvaluation) -> None:
    references = [pair.target for pair in measured.test_set.pairs]
    for name, metric in (("bleu", sacrebleu.BLEU()), ("chrf", sacrebleu.CHRF()), ("ter", sacrebleu.TER())):
        theirs = metric.corpus_score(list(measured.texts), [references], n_bootstrap=1000)
        assert measured.metrics[name] == pytest.approx(theirs.score)
        low, high = measured.intervals[name]
        assert (high - low) / 2 == pytest.approx(theirs._ci, rel=1e-5)
        assert low < measured.metrics[name] < high
        assert measured.signature[name] == str(metric.get_signature())


def test_the_outputs_are_those_of_the_translator(
    measured: TranslationEvaluation, translator: Translator
) -> None:
    sources = [pair.source for pair in read_pairs(SMALL, DataConfig(), split="test")]
    assert [output.source for output in measured.outputs] == sources
    assert list(measured.texts) == [output.text for output in translator.translate(sources)]
    assert measured.beam_size == translator.recipe.decoding.beam_size


def test_a_group_scores_as_if_it_were_the_corpus(measured: TranslationEvaluation) -> None:
    for column, value in (("length", "1-5"), ("constructions", "past")):
        rows = measured.test_set.groups[column][value].tolist()
        outputs = [measured.texts[row] for row in rows]
        references = [measured.test_set.pairs[row].target for row in rows]
        group = measured.by[column][value]
        assert group.rows == len(rows)
        assert group.metrics["bleu"] == pytest.approx(sacrebleu.corpus_bleu(outputs, [references]).score)
        assert group.metrics["ter"] == pytest.approx(sacrebleu.corpus_ter(outputs, [references]).score)
    assert measured.by["length"]["1-5"].metrics == pytest.approx(measured.metrics)  # all are that short
    errors = [group.metrics[AER] for group in measured.by["constructions"].values()]
    assert min(errors) < measured.metrics[AER] < max(errors)


def test_the_alignment_error_counts_the_gold_links(measured: TranslationEvaluation) -> None:
    """A perfect alignment has no error, none at all has error 1; the attention is in between."""
    pairs = measured.test_set.pairs
    gold = gold_links([AlignedRow(pair.source, pair.target, pair.where, pair.links) for pair in pairs])
    sure = [own.sure for own in gold if own is not None]
    assert len(sure) == 120
    assert alignment_error_rate((links, links, links) for links in sure) == 0.0
    assert 0.0 < measured.metrics[AER] < 0.5
    assert measured.intervals[AER].low < measured.metrics[AER] < measured.intervals[AER].high


def written(path: Path, columns: str, rows: Sequence[tuple[str, ...]]) -> Path:
    lines = [columns.split(), *rows]
    path.write_text("".join("\t".join(cells) + "\n" for cells in lines), encoding="utf-8")
    return path


def test_a_table_with_links_has_the_alignment_error_of_the_corpus_it_was_written_from(
    measured: TranslationEvaluation, translator: Translator, tmp_path: Path
) -> None:
    """Also with the columns the other way around, and in JSON lines."""
    cells = [
        (pair.source, pair.target, str(pair.links.cells[0][1]))
        for pair in measured.test_set.pairs
        if pair.links
    ]
    tables = {
        "links.tsv": written(tmp_path / "links.tsv", "ko en links", cells),
        "sure.tsv": written(tmp_path / "sure.tsv", "sure ko en", [(links, *both) for *both, links in cells]),
        "turned.tsv": written(
            tmp_path / "turned.tsv",
            "en links ko",
            [
                (english, " ".join("-".join(link.split("-")[::-1]) for link in links.split()), korean)
                for korean, english, links in cells
            ],
        ),
        "links.jsonl": tmp_path / "links.jsonl",
    }
    tables["links.jsonl"].write_text(
        "".join(
            json.dumps({"ko": korean, "en": english, "links": links.split()}) + "\n"
            for korean, english, links in cells
        )
    )
    for name, path in tables.items():
        found = regard.evaluate(translator, path, metrics=["aer"], samples=0, quiet=True)
        assert found.metrics == {AER: measured.metrics[AER]}, name
        assert found.signature == {AER: measured.signature[AER]}
    possible = written(
        tmp_path / "p.tsv", "ko en links", [(*both, text.replace("-", "p")) for *both, text in cells]
    )
    found = regard.evaluate(translator, possible, metrics=["aer"], samples=0, quiet=True)
    _, hits, links, _ = measured.statistics[AER].counts.sum(axis=0)
    assert found.metrics[AER] == pytest.approx(1 - hits / links)  # none is missed


def test_why_there_is_no_alignment_error(
    translator: Translator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = written(tmp_path / "t.tsv", "ko en", [("나는 간다.", "I go.")])
    with pytest.raises(
        DataError, match=r"^no aer: .*t.tsv has no gold alignments; they are a column 'links'"
    ):
        regard.evaluate(translator, table, metrics=["aer"])
    regard.evaluate(translator, table, metrics=["chrf", "aer"], samples=0)
    assert "no aer: " in capsys.readouterr().err
    assert AER not in regard.evaluate(translator, table, samples=0).metrics
    assert "no aer" not in capsys.readouterr().err  # nobody asked for it by name
    (tmp_path / "o.txt").write_text("I go.\n")
    with pytest.raises(DataError, match=r"^no aer: it is read from the attention of a model"):
        regard.evaluate(tmp_path / "o.txt", table, metrics=["aer"])
    odd = written(tmp_path / "odd.tsv", "ko en links", [("나는 간다.", "I go.", "https://example.org")])
    with pytest.raises(
        DataError, match=r"odd.tsv:2: the links side: expected links i-j .* found 'https://exam"
    ):
        regard.evaluate(translator, odd)
    assert regard.evaluate(translator, odd, metrics=["chrf"], samples=0, quiet=True).metrics.keys() == {
        "chrf"
    }


def test_the_best_and_the_worst_sentences(measured: TranslationEvaluation) -> None:
    pairs = [Pair(source, "one two three", f"t:{n}") for n, source in enumerate("가나다라마", start=1)]
    texts = ["one two three", "one two thrice", "x", "one two three", "one"]
    found = TranslationEvaluator().evaluate(texts, TestSet.of(pairs), metrics=["bleu"], samples=0)
    assert [one.where for one in found.best(2)] == ["t:1", "t:4"]
    assert [one.where for one in found.worst(2)] == ["t:3", "t:5"]
    assert (found.worst(1)[0].output, found.worst(1)[0].metric, found.best(1)[0].score) == (
        "x",
        "chrf",
        100.0,
    )
    shown = [one.where for one in (*found.best(9), *found.worst(9))]
    assert sorted(shown) == [pair.where for pair in pairs]  # none of the five stands on both sides
    assert found.to_dict(show=1)["worst"] == [
        {"where": "t:3", "source": "다", "reference": "one two three", "output": "x", "chrf": 0.0}
    ]
    assert not {"best", "worst"} & found.to_dict().keys()
    scores = [line["scores"]["chrf"] for line in measured.sentences()]
    assert measured.worst(1)[0].score == pytest.approx(min(scores), abs=1e-4)
    assert measured.best(1)[0].score == pytest.approx(max(scores), abs=1e-4)


def test_what_json_gets(measured: TranslationEvaluation) -> None:
    record = json.loads(json.dumps(measured.to_dict()))
    assert record["metrics"].keys() == record["intervals"].keys() == {"bleu", "chrf", "ter", "aer"}
    assert record["by"]["length"]["1-5"]["rows"] == record["rows"] == 120
    tokens = sum(len(part.tokens) + 1 for output in measured.outputs for part in output.parts)
    assert record["tokens_per_second"] / record["sentences_per_second"] == pytest.approx(tokens / 120, 0.05)
    assert repr(measured).startswith("Evaluation(120 rows: bleu ")


def test_what_a_file_of_outputs_gets(measured: TranslationEvaluation, tmp_path: Path) -> None:
    """Outputs that were written and read again score the same, in either form."""
    lines = [json.loads(line) for line in measured.outputs_as(json_lines=True).splitlines()]
    assert [line["output"] for line in lines] == list(measured.texts)
    first = lines[0]
    assert first["scores"]["chrf"] == pytest.approx(
        sacrebleu.sentence_chrf(first["output"], [first["reference"]]).score, abs=1e-4
    )
    for name in ("outputs.txt", "outputs.jsonl"):
        path = tmp_path / name
        path.write_text(measured.outputs_as(json_lines=name.endswith("l")), encoding="utf-8")
        again = regard.evaluate(path, CORPUS, quiet=True)
        assert again.metrics == {name: measured.metrics[name] for name in ("bleu", "chrf", "ter")}
        assert isinstance(again, TranslationEvaluation)
        assert (again.beam_size, again.outputs) == (None, ())
        assert "seconds" not in again.to_dict()


def test_a_line_break_in_an_output_is_no_line_of_the_file() -> None:
    pairs = list(read_pairs(BuiltinCorpus(rows=2), DataConfig(), split="test"))
    result = TranslationEvaluator().evaluate(
        ["a\nb\r\nc", "d"], TestSet.of(pairs), metrics=["chrf"], samples=0
    )
    assert result.outputs_as(json_lines=False) == "a b  c\nd\n"
    assert result.intervals == {}


def test_a_perfect_output_and_several_references(tmp_path: Path) -> None:
    table = tmp_path / "t.tsv"
    table.write_text("ko\tone\ttwo\n나는 간다.\tI am going now.\tI go there now.\n", encoding="utf-8")
    outputs = tmp_path / "o.txt"
    outputs.write_text("I go there now.\n", encoding="utf-8")
    result = regard.evaluate(outputs, table, references=["one", "two"], quiet=True)
    assert result.metrics == pytest.approx({"bleu": 100.0, "chrf": 100.0, "ter": 0.0})
    assert "nrefs:2" in result.signature["bleu"]
    assert next(result.sentences())["references"] == ["I am going now.", "I go there now."]
    single = regard.evaluate(outputs, table, target="one", quiet=True)
    assert single.metrics["bleu"] < 60


def test_outputs_that_look_tokenised_are_doubted(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = list(read_pairs(BuiltinCorpus(rows=20), DataConfig(), split="test"))
    plain = [pair.target for pair in pairs]
    TranslationEvaluator().evaluate(plain, TestSet.of(pairs), metrics=["chrf"], samples=0, quiet=False)
    assert capsys.readouterr().err == ""
    apart = [text.replace(".", " .") for text in plain]
    TranslationEvaluator().evaluate(apart, TestSet.of(pairs), metrics=["chrf"], samples=0, quiet=False)
    assert "outputs end in ' .' and no reference does: are they tokenised?" in capsys.readouterr().err


def test_a_sentence_that_is_too_long_is_named_before_anything_is_translated(
    translator: Translator, tmp_path: Path
) -> None:
    table = tmp_path / "t.tsv"
    table.write_text(f"ko\ten\n가\ta\n{'나 ' * 2000}\tb\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"t.tsv:3: expected at most 1,024 tokens"):
        regard.evaluate(translator, table)


def test_mistakes(translator: Translator, tmp_path: Path) -> None:
    pairs = list(read_pairs(BuiltinCorpus(rows=3), DataConfig(), split="test"))
    with pytest.raises(DataError, match="no metric is called 'blue'; did you mean 'bleu'"):
        regard.evaluate(translator, CORPUS, metrics=["blue"])
    with pytest.raises(DataError, match=r"expected .* of bleu, chrf, ter, aer, .*, found none"):
        TranslationEvaluator().evaluate(translator, pairs, metrics=[])
    with pytest.raises(
        DataError, match="expected 3 outputs, one for each row of builtin:ko-en:test, found 2"
    ):
        TranslationEvaluator().evaluate(["a", "b"], TestSet.of(pairs))
    with pytest.raises(DataError, match="a test set needs rows, found none"):
        TranslationEvaluator().evaluate(translator, [])
    (tmp_path / "o.txt").write_text("a\n")
    with pytest.raises(ConfigError, match="outputs alone do not say which test set they are of; name it"):
        regard.evaluate(tmp_path / "o.txt")
    with pytest.raises(ConfigError, match="target and references exclude each other"):
        regard.evaluate(translator, CORPUS, target="en", references=["en"])
