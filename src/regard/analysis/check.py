"""Check a model: is it stable, is its attention an explanation? Sections that do not apply say so."""

from collections.abc import Sequence

from regard.analysis.options import CheckOptions
from regard.analysis.report import Absent, Report, Section
from regard.errors import ConfigError, DataError, did_you_mean
from regard.evaluation.test_set import TestSet
from regard.inference.model import TaskModel
from regard.lazy import imported

SECTIONS: dict[str, tuple[str, str]] = {
    "measures": ("Measures of attention", "measures_section.measures_section"),
    "explanation": ("Is attention an explanation?", "explanation_section.explanation_section"),
    "stability": ("Is it stable?", "stability.stability_section"),
    "alarms": ("Outputs not to trust", "alarms.alarm_section"),
}
"""Every section: its title, and below `regard.analysis` what makes it of a model, a test set and options."""


def chosen_sections(only: Sequence[str] | None) -> list[str]:
    """The sections that are asked for, in their order; None stands for all."""
    if only is None:
        return list(SECTIONS)
    if isinstance(only, str):
        raise ConfigError(f"only: expected a list of sections, such as ['{only}'], found a text")
    if not only:
        raise ConfigError(f"expected a section or several of {', '.join(SECTIONS)}, found none")
    for name in only:
        if name not in SECTIONS:
            raise ConfigError(f"no section is called '{name}'; {did_you_mean(name, SECTIONS)}")
    return [name for name in SECTIONS if name in only]


OF_ATTENTION = ("measures", "explanation")
"""The sections that a model without attention has nothing for."""


def has_attention(model: TaskModel) -> bool:
    """Whether there is any attention in a model."""
    return bool(getattr(getattr(model, "network", None), "attentions", None))


def check_attention(model: TaskModel, where: str, only: Sequence[str] | None = None) -> None:
    """Refuse a model without attention where nothing but attention is asked about."""
    wanted = chosen_sections(only)
    if has_attention(model) or any(name not in OF_ATTENTION for name in wanted):
        return
    others = ",".join(name for name in SECTIONS if name not in OF_ATTENTION)
    raise ConfigError(
        f"{where}: this model has no attention, and no {' or '.join(wanted)}; ask for --only {others}"
    )


def check_model(
    model: TaskModel,
    test: TestSet,
    options: CheckOptions,
    *,
    name: str,
    only: Sequence[str] | None = None,
) -> Report:
    """Make the sections that are asked for, one after the other."""
    wanted = chosen_sections(only)
    check_attention(model, name, only)
    found: list[Section] = []
    for section in wanted:
        title, path = SECTIONS[section]
        if section in OF_ATTENTION and not has_attention(model):
            found.append(Absent(section, title, "this model has no attention"))
            continue
        make = imported(f"regard.analysis.{path}")
        try:
            found.append(make(model, test, options))
        except DataError as error:
            if wanted == [section]:  # it was asked for by name, and there is nothing else to tell
                raise
            found.append(Absent(section, title, str(error)))
    return Report(name, test.name, len(test), tuple(found))
