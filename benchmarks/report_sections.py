"""Tables that benchmarks add to the reference run: in Markdown, and as sections of its report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

LAST_LINK: Final = '<li><a href="#facts">How the run was played</a></li>'
"""Last link in the contents of a report."""

Cells = Sequence[Sequence[str]]
"""Rows of a table as text."""


class Section(NamedTuple):
    """A table with its title.

    Attributes:
        id: Identifier of the section in the report.
        note: One paragraph about the table.
        command: The command that measures a row.
    """

    id: str
    title: str
    note: str
    command: str
    header: Sequence[str]
    cells: Cells


def markdown_table(header: Sequence[str], cells: Cells) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def add_to_report(report: str, section: Section) -> str:
    """Return a report with the section as its last one, in place of the one that it has."""
    start, end = f'<section id="{section.id}"', "</section>\n"
    if start in report:
        before, _, rest = report.partition(start)
        report = before + rest.partition(end)[2]
    link = f'<li><a href="#{section.id}">{section.title}</a></li>'
    if link not in report:
        report = report.replace(LAST_LINK, LAST_LINK + link, 1)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in section.header)
    rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in section.cells]
    body = "".join(f"<tr>{row}</tr>\n" for row in rows)
    text = (
        f'{start} class="card" aria-labelledby="h-{section.id}">\n'
        f'<h2 id="h-{section.id}">{section.title}</h2>\n'
        f"<p>{section.note}</p>\n<p><code>{section.command}</code></p>\n"
        f'<div class="sheet" role="region" aria-label="{section.title}" tabindex="0">\n<table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n{end}"
    )
    return report.replace("</main>", f"{text}</main>", 1)


def format_elo(elo: float | None) -> str:
    """Return an Elo with a true minus sign."""
    return "no bound" if elo is None else f"{elo:.1f}".replace("-", "−")
