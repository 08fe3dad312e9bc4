"""`arena docs`: list the pages of the documentation, or print one."""

import math
import re
from collections.abc import Iterator, Mapping
from textwrap import shorten
from typing import Final, NamedTuple

import click

from arena.cli.options import command
from arena.errors import ArenaError, suggest_nearest
from arena.installed import find_shipped

MAX_FOUND = 20
"""Limit on sections that a search lists."""
MAX_LINE_CHARS = 100
COMMON_WORDS: Final = re.compile(
    "a|an|and|are|at|be|by|can|do|does|for|from|how|i|in|is|it|its|know|me|mean|my|of|on|one|or|that|the|"
    "this|to|vs|what|when|where|which|who|why|with|you|your"
)
ENDING: Final = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e)$")
TITLE_RANK, HEADING_RANK = 2.0, 3.0
"""Rank of a word in the title of the page, and in the heading; one in the text has at most 1."""
HALF_RANK_CHARS: Final = 1000
"""Length of a section in which a word must occur twice to count half as much as it can."""
START = """\
Start here:
  arena docs README                what the arena is, with the first commands
  arena docs concepts              the terms, and what a rating means
  arena docs writing-a-bot         from a first bot to a strong one
  arena docs running-tournaments   configs, formats and files
"""


@command(epilog="Example: arena docs writing-a-bot", then="arena docs --search 'is version 2 better?'")
@click.argument("page", required=False)
@click.option("--search", metavar="TEXT", help="List the sections with these words, of PAGE or of all.")
def docs_command(page: str | None, search: str | None) -> None:
    """List the pages of the documentation, print one, or search them.

    The list begins with where to start. A link between pages can be given as it is printed, as in `arena docs
    protocol.md`.
    """
    pages = _read_pages()
    if page is not None:
        page = page.partition("#")[0].removeprefix("docs/").removesuffix(".md")
    if search is not None and page in {None, *pages}:
        _search({name: text for name, text in pages.items() if page in (None, name)}, search)
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


class _Section(NamedTuple):
    page: str
    title: str
    """Title of its page."""
    heading: str
    text: str

    def count(self, word: re.Pattern[str]) -> int:
        """Return how often a word occurs in the section, or in the title of its page."""
        return len(word.findall(self.text)) + bool(word.search(self.title))

    def rank(self, word: re.Pattern[str]) -> float:
        """Return how much the section is about a word."""
        number = self.count(word)
        rank = number / (number + 1 + len(self.text) / HALF_RANK_CHARS)
        rank += TITLE_RANK if word.search(self.title) else 0
        return rank + (HEADING_RANK if word.search(self.heading) else 0)


def _search(pages: Mapping[str, str], text: str) -> None:
    """Print the sections that match a text, those with most of its words first."""
    words = _split_words(text)
    sections = [section for page in sorted(pages.items()) for section in _split_sections(*page)]
    known = {word: sum(bool(section.count(word)) for section in sections) for word in words}
    weights = {word: math.log(1 + len(sections) / (1 + number)) for word, number in known.items()}

    def order(section: _Section) -> tuple[int, float]:
        number = sum(bool(section.count(word)) for word in words)
        return -number, -sum(weight * section.rank(word) for word, weight in weights.items())

    found = sorted((section for section in sections if any(map(section.count, words))), key=order)
    if not found:
        raise ArenaError(f"no section has: {text.strip() or 'no word'}; try other words, or `arena docs`")
    for section in found[:MAX_FOUND]:
        lines = [line.strip() for line in section.text.splitlines()[1:]]
        line = max(lines, key=lambda line: sum(bool(word.search(line)) for word in words), default="")
        shown = shorten(line, MAX_LINE_CHARS, placeholder=" …")
        click.echo(f"{section.page}: {section.heading}\n    {shown}")
    more = len(found) - MAX_FOUND
    click.echo(f"\n{f'{more} more sections match. ' if more > 0 else ''}`arena docs PAGE` prints a page.")


def _split_words(text: str) -> list[re.Pattern[str]]:
    """Return patterns of the words of a text, in all their forms, without those that every question has."""
    words = text.lower().replace("?", " ").split()
    stems = [ENDING.sub("", word) for word in words if not COMMON_WORDS.fullmatch(word)] or words
    return [re.compile(rf"(?<!\w){re.escape(stem)}", re.IGNORECASE) for stem in dict.fromkeys(stems)]


def _split_sections(name: str, page: str) -> Iterator[_Section]:
    """Yield the sections of a page; lines in code are not headings."""
    lines: list[str] = []
    is_code = False
    title = page.partition("\n")[0]
    for line in [*page.splitlines(), "# "]:
        if line.startswith("```"):
            is_code = not is_code
        if lines and line.startswith("#") and not is_code:
            yield _Section(name, title, lines[0].lstrip("# "), "\n".join(lines))
            lines = []
        lines.append(line)


def _read_pages() -> dict[str, str]:
    """Return the pages by name: those in the package or, in a checkout, those of its sources."""
    pages = (find_shipped("docs/README.md", "README.md"), *find_shipped("docs", "docs").glob("*.md"))
    return {page.name.removesuffix(".md"): page.read_text(encoding="utf-8") for page in pages}
