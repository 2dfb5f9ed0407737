"""What every task says of a text in a script that its model never saw."""

from regard.text.markup import placeholders
from regard.text.scripts import KnownScripts


def script_notes(scripts: KnownScripts, *texts: str) -> tuple[str, ...]:
    """A note if most letters of a text are of such a script; of several texts, one for each script."""
    found: dict[str, None] = {}
    for text in texts:
        unknown = scripts.unknown(text)
        if unknown:  # {name} and addresses are no words of a language
            for placeholder in placeholders(text):
                text = text.replace(placeholder, " ")
            unknown = scripts.unknown(text)
        if unknown:
            found[" and ".join(unknown)] = None
    return tuple(
        f"the text is in {names} letters, which this model was not trained on; do not trust its output"
        for names in found
    )
