"""Tables as HTML, for notebooks."""

from collections.abc import Container, Iterable, Sequence
from typing import Any, Final

from markupsafe import escape

MAX_DECIMALS: Final = 4


def html_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    note: str = "",
    texts: Container[str] | None = None,
) -> str:
    """Return a table, with a note below it if there is one; `texts` are the columns aligned to the left.

    Without them all values are that are not numbers.
    """
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    lefts = None if texts is None else [column in texts for column in columns]
    body = "".join(f"<tr>{''.join(map(_cell, row, lefts or _are_left(row)))}</tr>" for row in rows)
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _are_left(row: Sequence[Any]) -> list[bool]:
    return [not isinstance(value, int | float) for value in row]


def _cell(value: Any, is_left: bool) -> str:
    if isinstance(value, float):
        text = f"{value:.{MAX_DECIMALS}f}".rstrip("0").rstrip(".")
    elif isinstance(value, tuple):
        text = ", ".join(map(str, value))
    else:
        text = "" if value is None else str(value)
    return f'<td style="text-align:{"left" if is_left else "right"}">{escape(text)}</td>'
