"""Labels: how often each occurs, which are rare, which training never saw."""

from collections import Counter
from collections.abc import Iterable, Sequence

from regard.doctor.findings import Example, Tally
from regard.doctor.ledger import Ledger
from regard.progress import counted

UNBALANCED = 10
MANY = 200
"""A column with more values than this is no label; nothing is said about its balance."""


def judge_labels(ledgers: Sequence[Ledger], tally: Tally, checks: frozenset[str]) -> None:
    """Add what is to be said about labels to the findings."""
    train = Counter[str]()
    for ledger in ledgers:
        if ledger.role == "train":
            train.update(ledger.label_counts)
    if not 1 < len(train) <= MANY or _are_scores(train):
        return
    if "label-balance" in checks:
        _judge_balance(train, next(ledger.name for ledger in ledgers if ledger.role == "train"), tally)
    if "label-unseen" in checks:
        for ledger in ledgers:
            for label in sorted(ledger.label_counts.keys() - train.keys()):
                count = ledger.label_counts[label]
                tally.add(
                    "label-unseen",
                    ledger.name,
                    count,
                    [Example(ledger.name, f"{label}: {counted(count, 'row')}")],
                )


def _are_scores(labels: Iterable[str]) -> bool:
    """Whether the labels are measures, such as 3.8: then a new one is no surprise."""
    return any("." in label for label in labels) and all(map(_is_number, labels))


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True


def _judge_balance(train: Counter[str], file: str, tally: Tally) -> None:
    ((most, highest),), (least, lowest) = train.most_common(1), train.most_common()[-1]
    if highest >= UNBALANCED * lowest:
        text = f"{most}: {counted(highest, 'row')}, {least}: {counted(lowest, 'row')}"
        tally.add("label-balance", file, 1, [Example(file, text)])
