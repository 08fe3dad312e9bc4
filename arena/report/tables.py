"""The table of ratings, for people and for programs, and what its columns mean."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, Final, Literal, get_args

import msgspec
from tabulate import tabulate

from arena.errors import ConfigError, nearest
from arena.rating import LEAST_BLOCKS
from arena.tournament.export import Row, elo_csv, elo_md
from arena.tournament.formats import Scoreboard

Format = Literal["plain", "md", "csv", "json"]
FORMATS: Final = get_args(Format)

NONE = "–"  # where a number cannot honestly be given
COLUMNS: Final = {
    "rank": "1 is the highest Elo; equals go by name.",
    "bot": "The contestant, by its name in the config.",
    "elo": """Strength: who is 100 above another leaves it behind in 64 of 100 meetings, 200 above in 76.
    Fitted to all pairs of seats of all matches at once (Bradley-Terry, a tie a half, one virtual draw a
    bot), to a mean of 1500 over the bots of this game and table size; so numbers of different games do
    not compare.""",
    "±": """Half width, in Elo, of the interval about the mean of the bots that holds the true value in 95 of
    100 such tournaments; matches on the same cards count as one observation. Two bots whose intervals
    touch may still be told apart.""",
    "matches": "Matches it sat in.",
    "blocks": """Deal seeds it played, each in all seatings of its table: the number of independent
    observations.""",
    "score": """Opponents it left behind, of all it met, in percent; a tie counts a half. 50 is the mean of
    the field.""",
    "payoff": """What it won or lost in a match, in the mean, in what the game settles in: tokens, chips or
    points. Ratings look at the places alone.""",
    "faults": """Failures in all matches: illegal or unreadable actions, crashes, time. The quiet action was
    played instead.""",
}
OVERALL = "overall is the mean of a bot's Elo over the games and table sizes above, each counting the same."
MARKS: Final = {
    ">": "> a perfect score: at least so strong. No error bar is honest there, and none is given.",
    "<": "< not a point won: at most so strong. No error bar is honest there, and none is given.",
    NONE: f"{NONE} no error bar is honest: fewer than {LEAST_BLOCKS} blocks, or results that never differ.",
}


def of_variant(rows: Sequence[Row], name: str) -> list[Row]:
    """The rows of one game, named with its options (`lives(tokens=5)`) or without.

    Raises: ConfigError, if the run has none.
    """
    found = [row for row in rows if name in (row.variant, row.variant.partition("(")[0])]
    if not found:
        raise ConfigError(f"this run has no {name!r}; {nearest(name, {row.variant for row in rows})}")
    return found


def elo_table(rows: Sequence[Row], style: Format = "plain") -> str:
    """The ratings in one of the formats, without a line's end at the end."""
    styles: dict[Format, Callable[[Sequence[Row]], str]] = {
        "plain": _plain,
        "md": elo_md,
        "csv": elo_csv,
        "json": _json,
    }
    return styles[style](rows).removesuffix("\n")


def scoreboard_table(board: Scoreboard) -> str:
    """The standings by the rules of a format, for people."""
    sides = ["left" if column == "bot" else "right" for column in board.columns]
    table = tabulate(board.rows, board.columns, colalign=sides, disable_numparse=True)
    return f"{board.title}\n\n{table}"


def explanation() -> str:
    """What every column is, its unit, and what it does not mean."""
    cells = [[column, " ".join(text.split())] for column, text in COLUMNS.items()]
    return f"{tabulate(cells, tablefmt='plain', maxcolwidths=[None, 80])}\n\n{OVERALL}"


def _plain(rows: Sequence[Row]) -> str:
    if not rows:
        return "Nothing has been played yet."
    tables = [_section(list(own)) for _, own in groupby(rows, key=lambda row: (row.variant, row.players))]
    return "\n\n".join([*tables, *_legend(rows)])


def _section(rows: Sequence[Row]) -> str:
    first = rows[0]
    title = f"{first.variant}, {first.players} players" if first.players else first.variant
    sides = ["left" if column == "bot" else "right" for column in COLUMNS]
    table = tabulate([_cells(row) for row in rows], list(COLUMNS), colalign=sides, disable_numparse=True)
    return f"{title}\n\n{table}"


def _cells(row: Row) -> list[str]:
    return [
        str(row.rank),
        row.bot,
        row.mark + _number(row.elo, "z.1f"),
        _number(row.error, ".1f"),
        f"{row.matches:,}",
        f"{row.blocks:,}",
        NONE if row.score is None else f"{row.score:.1%}",
        f"{row.payoff:+z.2f}" if row.players else "",  # overall, tokens and chips would be mixed
        f"{row.faults:,}",
    ]


def _number(value: float | None, form: str) -> str:
    return NONE if value is None else format(value, form)


def _legend(rows: Iterable[Row]) -> list[str]:
    """A sentence for each reason why a row has no error bar."""
    missing = {row.mark or NONE for row in rows if row.error is None}
    lines = [sentence for mark, sentence in MARKS.items() if mark in missing]
    return ["\n".join(lines)] if lines else []


def _json(rows: Sequence[Row]) -> str:
    return msgspec.json.encode([_fields(row) for row in rows]).decode()


def _fields(row: Row) -> dict[str, Any]:
    """The values as the other formats print them, in the same units."""
    return {
        "variant": row.variant,
        "players": row.players,
        "rank": row.rank,
        "bot": row.bot,
        "elo": _rounded(row.elo),
        "error": _rounded(row.error),
        "mark": row.mark,
        "matches": row.matches,
        "blocks": row.blocks,
        "score": _rounded(row.score, 100),
        "payoff": _rounded(row.payoff),
        "faults": row.faults,
    }


def _rounded(value: float | None, scale: float = 1) -> float | None:
    return None if value is None else round(scale * value, 1) + 0.0  # never minus nought
