"""What MkDocs asks for while it builds the site: the pages that are made, and the files of results."""

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from reference.pages import PAGES

RESULTS = Path(__file__).parent.parent / "results"


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of the reference, and the results that docs/results.md links to."""
    for name, page in PAGES.items():
        files.append(File.generated(config, name, content=page()))
    for path in sorted(RESULTS.glob("*.json")):
        files.append(File.generated(config, f"results/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """On the site, results are inside the documentation; in the repository, beside it."""
    return markdown.replace("](../results/", "](results/") if page.file.src_uri == "results.md" else markdown
