"""regard align and regard translate --alignment, as a user types them."""

import json
from pathlib import Path

import pytest
from tests.analysis.pairs import PAIRS, PLACED, stored, untrained
from tests.conftest import Run

import regard
from regard.analysis.head_search import find_heads
from regard.insight.word_links import AlignmentUnit

TEXT = "".join(f"{source}\t{target}\n" for source, target in PAIRS)
LINKS = [one.to_pharaoh() for one in regard.align(untrained(), PAIRS)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained model Korean→English, `m`, and one English→Korean, `back`; pairs in several forms."""
    place = tmp_path_factory.mktemp("align")
    stored(untrained(), place / "m")
    stored(untrained("en", "ko", seed=18), place / "back")
    (place / "pairs.txt").write_text(TEXT, encoding="utf-8")
    rows = (f"{s}\t{t}\t{own}\n" for (s, t), own in zip(PAIRS, LINKS, strict=True))
    (place / "pairs.tsv").write_text("ko\ten\tlinks\n" + "".join(rows), encoding="utf-8")
    for side, name in enumerate(("a.ko", "b.en")):
        (place / name).write_text("".join(f"{pair[side]}\n" for pair in PAIRS), encoding="utf-8")
    (place / "gold.txt").write_text("".join(f"{own}\n" for own in LINKS), encoding="utf-8")
    return place


def test_one_line_for_each_pair_in_every_form(run: Run, folder: Path) -> None:
    for arguments in (["pairs.txt"], ["pairs.tsv"], ["a.ko", "b.en"]):
        done = run("align", folder / "m", *(folder / name for name in arguments), "-q")
        assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, LINKS, "")
    first, second = TEXT.splitlines()[:2]
    done = run("align", folder / "m", text=f"{first}\n\n{second}\n나는\t\n")
    assert done.stdout == f"{LINKS[0]}\n\n{LINKS[1]}\n\n", done.stderr


def test_soft_null_json_and_a_file(run: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "links"
    done = run(
        "align", folder / "m", folder / "pairs.txt", "--soft", "--null", "-o", out, "--threshold", "0.3"
    )
    assert (done.returncode, done.stdout) == (0, "")
    expected = regard.align(untrained(), PAIRS, threshold=0.3)
    assert out.read_text().splitlines() == [own.to_pharaoh(soft=True, null=True) for own in expected]
    told = run("align", folder / "m", folder / "pairs.txt", "--json", "--unit", "eojeol").stdout.splitlines()
    words = regard.align(untrained(), PAIRS, unit="eojeol")
    assert [json.loads(line) for line in told] == [own.to_dict() for own in words]


def test_both_directions(run: Run, folder: Path) -> None:
    options = ["--reverse", folder / "back", "--symmetrize", "grow-diag-final-and"]
    done = run("align", folder / "m", folder / "pairs.txt", *options)
    expected = regard.align(folder / "m", PAIRS, reverse=folder / "back", symmetrize="grow-diag-final-and")
    assert done.stdout.splitlines() == [own.to_pharaoh() for own in expected], done.stderr


def test_translations_with_their_links(run: Run, folder: Path) -> None:
    """Both commands align the same outputs; the text is that of a plain translation."""
    plain = run("translate", folder / "m", folder / "a.ko").stdout.splitlines()
    linked = run("translate", folder / "m", folder / "a.ko", "--alignment").stdout.splitlines()
    assert [line.rpartition(" |||")[0] for line in linked] == plain
    told = run("align", folder / "m", folder / "a.ko", "--outputs", "--json").stdout.splitlines()
    assert [json.loads(line)["target"] for line in told] == plain
    values = run("translate", folder / "m", folder / "a.ko", "--alignment", "--json").stdout.splitlines()
    for line, own in zip(linked, map(json.loads, values), strict=True):
        written = " ".join(f"{i}-{j}" for i, j, _ in own["alignment"]["links"])
        assert line == f"{own['text']} ||| {written}".rstrip()


def test_scores_against_gold(run: Run, folder: Path) -> None:
    """The links themselves as gold: no error. As a file, and as the column of the table."""
    for options in (["pairs.txt", "--gold", folder / "gold.txt"], ["pairs.tsv", "--gold", "links"]):
        done = run("align", folder / "m", folder / str(options[0]), *options[1:], "--json")
        told = json.loads(done.stdout)
        assert (told["rows"], told["metrics"]["aer"], told["intervals"]["aer"]) == (4, 0.0, [0.0, 0.0])
    table = run("align", folder / "m", folder / "pairs.tsv", "--gold", "links", "-q").stdout.splitlines()
    assert table[1].split() == ["aer", "0.000", "0.000", "to", "0.000"]


def test_heads_are_found_kept_used_and_forgotten(run: Run, folder: Path, tmp_path: Path) -> None:
    model, pairs = stored(untrained(), tmp_path / "m"), folder / "pairs.tsv"
    gold = regard.align(untrained(), PAIRS)
    told = json.loads(run("align", model, pairs, "--find-heads", "--json").stdout)
    assert (told["by"], told["mean"], told["candidates"][0]["score"]) == ("aer", 0.0, 0.0)
    assert run("align", model, "--forget-heads").stdout == f"{model}: the choice of heads is removed\n"
    done = run("align", model, pairs, "--find-heads", "--reverse", folder / "back", "-q")
    assert done.stdout.splitlines()[0].split() == ["heads", "agreement"], done.stderr
    assert f"wrote {model / 'alignment.json'}: " in done.stdout
    found = run("align", model, pairs).stdout.splitlines()
    assert found == [own.to_pharaoh() for own in regard.align(model, PAIRS)]
    assert found != [own.to_pharaoh() for own in gold]
    score = json.loads(run("align", model, pairs, "--gold", "links", "--json").stdout)["metrics"]["aer"]
    whole = run("evaluate", model, pairs, "--metrics", "aer", "--json", "-q").stdout
    assert json.loads(whole)["metrics"]["aer"] == pytest.approx(score, abs=1e-4)
    assert score > 0


@pytest.mark.parametrize(
    ("line", "gold", "problem"),
    [
        ("--gold {gold}", "0-0\n0-\n\n\n", "{gold}:2: expected links i-j (sure) or ipj (possible)"),
        ("--gold {gold}", "0-0\n0-9\n\n\n", "{gold}:2: the link 0-9 is beyond the sentences of 4 words and"),
        ("--gold {gold}", "0-0\n", "{gold}: expected 4 lines, one for each pair, found 1"),
        ("--gold {gold}", "1 1 1 S\n9 1 1 S\n", "{gold}:2: expected a sentence of the 4 pairs"),
        ("--gold {gold}", "1 1 1 S\n1 9 1 P\n", "{gold}:1-2: sentence 1: the link 9-1 is beyond"),
        ("--gold {gold} --unit tokens", "0-0\n", "--unit tokens: gold links count words or eojeol"),
        ("--gold {gold} --outputs", "", "--outputs and --gold exclude each other"),
        ("--reverse {m}", "", "reverse: expected a model en→ko, found ko→en"),
        ("--symmetrize union", "", "--symmetrize needs two directions; name the other model with --reverse"),
        ("--find-heads", "", "expected gold links: name their file with --gold"),
        ("--threshold 2", "", "threshold: expected a weight above 0 and up to 1, found 2.0"),
        ("--soft --null", "", "--null: every target word has a link; only with --threshold or --reverse"),
        ("--find-heads --threshold 0.3", "", "--threshold says what a link is, and --find-heads takes the"),
        ("--find-heads --soft", "", "--soft says how links are written, and --find-heads writes none"),
        ("--find-heads --null --threshold 0.3", "", "--null says how links are written, and --find-heads"),
        ("--find-heads --reverse {m} --symmetrize union", "", "--symmetrize says what a link is, and --find"),
        ("--find-heads --gold {gold} --reverse {m}", "", "--gold and --reverse both say which heads align;"),
        ("--forget-heads --unit eojeol", "", "--forget-heads aligns nothing; leave --unit out"),
        (
            "--gold {gold} --soft",
            "0-0\n0-0\n0-0\n0-0\n",
            "--soft says how links are written, and --gold writes",
        ),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, folder: Path, tmp_path: Path, line: str, gold: str, problem: str
) -> None:
    names = {"gold": tmp_path / "g", "m": folder / "m"}
    names["gold"].write_text(gold)
    done = run("align", folder / "m", folder / "pairs.txt", *line.format(**names).split(), "-q")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert done.stderr.startswith(f"regard: {problem.format(**names)}")


def test_by_agreement_heads_are_found_for_what_is_counted(run: Run, folder: Path, tmp_path: Path) -> None:
    found = {}
    units: tuple[AlignmentUnit, ...] = ("words", "eojeol", "tokens")
    for unit in units:
        model = stored(untrained(), tmp_path / unit)
        options = ["--find-heads", "--reverse", folder / "back", "--unit", unit, "--json", "-q"]
        told = json.loads(run("align", model, folder / "pairs.txt", *options).stdout)
        result = find_heads(untrained(), PLACED, reverse=untrained("en", "ko", 18), unit=unit)
        assert told["mean"] == pytest.approx(result.before, abs=1e-6)
        found[unit] = told["mean"]
    assert len(set(found.values())) > 1


def test_files_of_different_lengths(run: Run, folder: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.en"
    short.write_text("I read.\n")
    done = run("align", folder / "m", folder / "a.ko", short, "-q")
    assert done.returncode == 2
    assert f"{folder / 'a.ko'}:2: the source has more lines, but {short} has ended" in done.stderr
