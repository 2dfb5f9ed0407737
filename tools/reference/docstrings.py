"""From the docstrings of regard to what mkdocstrings lays out.

regard writes arguments as `name:   meaning`, the result as `returns: meaning`, types in the signature alone,
and examples as they stand in a Python session.
"""

import re
from collections.abc import Collection

_ENTRY = re.compile(r"(?P<name>\w+):\s+(?P<meaning>\S.*)")
_TAG = re.compile(r"(`[^`]*`)|<(?=[\w/])")


def laid_out(docstring: str, arguments: Collection[str] = ()) -> str:
    """The docstring with its arguments in Google's form, its examples as code, and no accidental HTML.

    arguments: names of the function's arguments; any other `name: …` is text
    """
    paragraphs = docstring.split("\n\n")
    return "\n\n".join(_laid_out(paragraph, {*arguments, "returns"}) for paragraph in paragraphs)


def _laid_out(paragraph: str, names: Collection[str]) -> str:
    if paragraph.startswith(">>> "):
        return f"```pycon\n{paragraph}\n```"
    text = _TAG.sub(lambda found: found[1] or "&lt;", paragraph)  # </s> is a symbol, not a tag
    entries: list[list[str]] = []
    for line in text.splitlines():
        found = _ENTRY.match(line)
        if found and found["name"] in names:
            entries.append([found["name"], found["meaning"]])
        elif entries:
            entries[-1][1] += f" {line.strip()}"
        else:
            return text
    arguments = [f"    {name}: {meaning}" for name, meaning in entries if name != "returns"]
    results = [f"    {meaning}" for name, meaning in entries if name == "returns"]
    sections = [["Args:", *arguments], ["Returns:", *results]]
    return "\n\n".join("\n".join(section) for section in sections if len(section) > 1)
