"""Write the tables of docs/strength.md and results/strength.md again, from the measurements in CSV files.

    .venv/bin/python -m benchmarks.strength_tables

`strength.csv` has every series of a bot against copies of another, `exploits.csv` what bots lose to bots made
to beat them. The rungs and exploits of the reference run are added to them. What `benchmarks.strength` or
`arena exploit` measures is put in a row by hand.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Final

import msgspec

from arena.games import VARIANTS
from benchmarks.exploitability import PLAYERS, read_exploits
from benchmarks.measured import replace_tables
from benchmarks.reference_run import EXPLOITS, ROOT, RUNGS, read_ratings
from benchmarks.report_sections import format_elo, markdown_table
from benchmarks.rungs import SHOWN, SIZES, read_rungs

DOCS: Final = ROOT / "docs" / "strength.md"
NOTEBOOK: Final = ROOT / "results" / "strength.md"
SERIES: Final = Path(__file__).with_name("strength.csv")
MORE_EXPLOITS: Final = Path(__file__).with_name("exploits.csv")
STRONGEST: Final = ("expert", "equilibrium", "retuned", "rollout", "tuned", "counter")
"""Bots that may be the strongest at a game, the strongest first."""
LEFT_OUT: Final = ("before", "half", "variant", "development", "compiled", "exact")
"""First words of the notes of rows that are in no table, as the page explains them."""
GAMES: Final = [rules.name for rules in VARIANTS]
normal = NormalDist()


class Series(msgspec.Struct, frozen=True):
    """A bot against copies of another in every seat on the same cards; None is what is not known.

    Attributes:
        low: Lower end of the 95 % interval of `elo`.
    """

    game: str
    seats: int | None
    bot: str
    copies_of: str | None
    elo: float
    low: float | None
    high: float | None
    blocks: int | None
    seed: str | None
    note: str | None

    @property
    def is_shown(self) -> bool:
        """True if the bot is shown to be the stronger one: the LOS by the interval is above `SHOWN`."""
        if self.low is None or self.high is None or self.low <= 0:
            return False
        return normal.cdf(2 * self.elo / (self.high - self.low) * normal.inv_cdf(0.975)) > SHOWN


class Exploit(msgspec.Struct, frozen=True):
    """The loss of a bot, in Elo, to a bot made to beat it; None if it is not known."""

    bot: str
    game: str
    seats: int
    loses: float
    low: float | None
    high: float | None
    generations: int | None
    blocks: int | None
    seed: str | None
    cpu_seconds: float | None
    note: str | None


def read_cells(file: Path) -> list[dict[str, str | None]]:
    """Return the rows of a file, None for an empty cell."""
    with file.open(newline="", encoding="utf-8") as lines:
        return [{name: text or None for name, text in row.items()} for row in csv.DictReader(lines)]


def read_series() -> list[Series]:
    """Return all series of the file."""
    return msgspec.convert(read_cells(SERIES), list[Series], strict=False)


def read_more_exploits() -> list[Exploit]:
    """Return the exploits that are not in the reference run."""
    return msgspec.convert(read_cells(MORE_EXPLOITS), list[Exploit], strict=False)


def is_present(row: Series | Exploit) -> bool:
    """Return whether a row is of the bots as they are now, on fresh deals by the rules of the arena."""
    return (row.note or "").partition(":")[0] not in LEFT_OUT


def list_series() -> list[Series]:
    """Return the series of the present bots, and the rungs of the reference run."""
    rungs = [
        Series(
            row.variant,
            row.players,
            row.bot,
            row.below,
            row.elo,
            row.low,
            row.high,
            row.blocks,
            "rungs",
            None,
        )
        for row in read_rungs(RUNGS)
        if row.elo is not None
    ]
    return [*filter(is_present, read_series()), *rungs]


def choose_series() -> list[Series]:
    """Return, for each game and number of seats, the longest series that shows the strongest bot.

    Of series of the same length it is that with the smallest lead, so against the strongest other.
    """
    shown = [row for row in list_series() if row.is_shown and row.bot in STRONGEST]
    places = [(game, seats) for game in GAMES for seats in SIZES]
    groups = [[row for row in shown if (row.game, row.seats) == place] for place in places]
    return [
        min(rows, key=lambda row: (STRONGEST.index(row.bot), -(row.blocks or 0), row.elo))
        for rows in groups
        if rows
    ]


def choose_exploits() -> list[Exploit]:
    """Return the longest training against each bot at each game and number of seats."""
    reference = [
        Exploit(
            row.bot, row.variant, PLAYERS, row.loses, row.low, row.high,
            row.generations, row.blocks, "reference", None, None,
        )
        for row in read_exploits(EXPLOITS)
        if row.loses is not None
    ]  # fmt: skip
    rows = [*filter(is_present, read_more_exploits()), *reference]
    rows.sort(key=lambda row: row.generations or 0)
    longest = {(row.game, row.seats, row.bot): row for row in rows}
    return sorted(longest.values(), key=lambda row: (GAMES.index(row.game), row.seats, -row.loses))


def format_interval(low: float | None, high: float | None) -> str:
    """Return an interval; None is no bound."""
    return f"{format_elo(low)} and more" if high is None else f"{format_elo(low)} to {format_elo(high)}"


def format_series(rows: Sequence[Series], *, with_seeds: bool) -> str:
    """Return the table of series."""
    header = [
        "game",
        "seats",
        "bot",
        "copies of",
        "Elo",
        "interval",
        *(("blocks", "seed") if with_seeds else ()),
    ]
    cells = [
        [
            f"`{row.game}`", str(row.seats), f"`{row.bot}`", f"`{row.copies_of}`",
            f"+{format_elo(row.elo)}", format_interval(row.low, row.high), f"{row.blocks:,}",
            f"`{row.seed}`" if row.seed else "–",
        ][: len(header)]
        for row in rows
    ]  # fmt: skip
    return markdown_table(header, cells)


def format_exploits(rows: Sequence[Exploit]) -> str:
    """Return the table of exploits, with the rating of each bot in the reference run."""
    ratings = {
        (
            row["bot"],
            row["variant"],
            row["players"],
        ): f"{float(row['elo']):.0f} ± {float(row['comparison_error']):.0f}"
        for row in read_ratings()
        if row["comparison_error"]
    }
    cells = [
        [
            f"`{row.bot}`", f"`{row.game}`", str(row.seats),
            ratings.get((row.bot, row.game, str(row.seats)), "–"), format_elo(row.loses),
            format_interval(row.low, row.high), str(row.generations),
        ]
        for row in rows
    ]  # fmt: skip
    return markdown_table(["bot", "game", "seats", "rating", "loses", "interval", "generations"], cells)


def render() -> dict[Path, str]:
    """Return each page with its tables in place of those that it has."""
    series = choose_series()
    tables = {
        DOCS: [format_series(series, with_seeds=False)],
        NOTEBOOK: [format_series(series, with_seeds=True), format_exploits(choose_exploits())],
    }
    return {page: replace_tables(page.read_text(encoding="utf-8"), parts) for page, parts in tables.items()}


def main() -> None:
    """Write the pages."""
    for page, text in render().items():
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
