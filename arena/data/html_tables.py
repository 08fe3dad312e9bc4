"""Tables as HTML, for notebooks."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from markupsafe import escape

MAX_DECIMALS: Final = 4


def html_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], note: str = "") -> str:
    """Return a table, with a note below it if there is one."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        text = f"{value:.{MAX_DECIMALS}f}".rstrip("0").rstrip(".")
    elif isinstance(value, tuple):
        text = ", ".join(map(str, value))
    else:
        text = "" if value is None else str(value)
    side = "right" if isinstance(value, int | float) else "left"
    return f'<td style="text-align:{side}">{escape(text)}</td>'
