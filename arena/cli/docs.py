"""`arena docs`: list the pages of the documentation, or print one."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import shorten

import click

from arena.cli.options import command
from arena.errors import ArenaError, suggest_nearest
from arena.installed import find_shipped

MAX_FOUND = 20
"""Limit on sections that a search lists."""
MAX_LINE_CHARS = 100
START = """\
Start here:
  arena docs README                what the arena is, with the first commands
  arena docs concepts              the terms, and what a rating means
  arena docs writing-a-bot         from a first bot to a strong one
  arena docs running-tournaments   configs, formats and files
"""


@command(epilog="Example: arena docs writing-a-bot")
@click.argument("page", required=False)
@click.option("--search", metavar="TEXT", help="List the sections with all these words, of PAGE or of all.")
def docs_command(page: str | None, search: str | None) -> None:
    """List the pages of the documentation, print one, or search them.

    The list begins with where to start. A link between pages can be given as it is printed, as in `arena docs
    protocol.md`.
    """
    pages = _read_pages()
    if page is not None:
        page = page.partition("#")[0].removeprefix("docs/").removesuffix(".md")
    if search is not None and page in {None, *pages}:
        _search({name: text for name, text in pages.items() if page in (None, name)}, search.lower().split())
    elif page is None:
        click.echo(f"{START}\nAll pages:")
        width = max(map(len, pages))
        for name, text in sorted(pages.items()):
            click.echo(f"  {name:{width}}  {text.splitlines()[0].removeprefix('# ')}")
    elif page in pages:
        click.echo(pages[page].rstrip())
    else:
        nearest = suggest_nearest(page, pages)
        raise click.UsageError(f"there is no page {page!r}; {nearest}. Try `arena docs --search {page}`.")


def _search(pages: Mapping[str, str], words: Sequence[str]) -> None:
    """Print the sections that have all words, those with most of them in the heading first."""
    found = [
        (
            -sum(word in heading.lower() for word in words),
            -text.lower().count(" ".join(words)),
            name,
            heading,
            text,
        )
        for name, page in sorted(pages.items())
        for heading, text in _split_sections(page)
        if words and all(word in text.lower() for word in words)
    ]
    if not found:
        raise ArenaError(
            f"no section has all of: {' '.join(words) or 'no word'}; try fewer words, or `arena docs`"
        )
    found.sort(key=lambda section: section[:2])
    for *_, name, heading, text in found[:MAX_FOUND]:
        lines = [
            line.strip() for line in text.splitlines()[1:] if any(word in line.lower() for word in words)
        ]
        line = max(lines, key=lambda line: sum(word in line.lower() for word in words), default="")
        click.echo(f"{name}: {heading}\n    {shorten(line, MAX_LINE_CHARS, placeholder=' …')}")
    more = len(found) - MAX_FOUND
    click.echo(
        f"\n{f'{more} more sections have these words. ' if more > 0 else ''}`arena docs PAGE` prints a page."
    )


def _split_sections(page: str) -> Iterator[tuple[str, str]]:
    """Yield heading and text of each section of a page; lines in code are no headings."""
    lines: list[str] = []
    is_code = False
    for line in [*page.splitlines(), "# "]:
        if line.startswith("```"):
            is_code = not is_code
        if lines and line.startswith("#") and not is_code:
            yield lines[0].lstrip("# "), "\n".join(lines)
            lines = []
        lines.append(line)


def _read_pages() -> dict[str, str]:
    """Return the pages by name: those in the package or, in a checkout, those of its sources."""
    pages = (find_shipped("docs/README.md", "README.md"), *find_shipped("docs", "docs").glob("*.md"))
    return {page.name.removesuffix(".md"): page.read_text(encoding="utf-8") for page in pages}
