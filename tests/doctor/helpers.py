"""What the tests of the doctor share."""

from collections.abc import Sequence
from pathlib import Path

from regard.doctor.catalogue import CHECKS
from regard.doctor.diagnose import Examination, examine
from regard.doctor.guess import Asked
from regard.doctor.inputs import inputs_of

ALL = frozenset(CHECKS)

CLEAN = [
    ("나는 어제 학교에 갔다.", "I went to school yesterday."),
    ("오늘은 날씨가 참 좋다.", "The weather is very nice today."),
    ("그녀는 조용히 책을 읽고 있다.", "She is quietly reading a book."),
    ("우리는 저녁에 영화를 보았다.", "We watched a film in the evening."),
    ("그 사람은 커피를 마시지 않는다.", "That person does not drink coffee."),
]
"""Pairs with nothing wrong in them."""


def look(
    *arguments: str | Path,
    asked: Asked | None = None,
    checks: frozenset[str] = ALL,
    examples: int = 3,
    one_side: bool = False,
    parallel: bool = False,
    names: tuple[str, ...] = (),
) -> Examination:
    said = asked or Asked()
    inputs = inputs_of(
        list(map(str, arguments)),
        parallel=parallel,
        one_side=one_side,
        names=names,
        languages=said.sides(),
    )
    return examine(inputs, said, checks=checks, examples=examples, quiet=True)


def found(examination: Examination) -> dict[str, list[str]]:
    """The places of the examples, by check."""
    return {
        finding.check.id: [example.where for example in finding.examples]
        for finding in examination.report.findings
    }


def write_pairs(path: Path, pairs: Sequence[tuple[str, str]], columns: str = "ko\ten") -> Path:
    rows = "".join(f"{source}\t{target}\n" for source, target in pairs)
    path.write_bytes(f"{columns}\n{rows}".encode("utf-8", "surrogatepass"))
    return path
