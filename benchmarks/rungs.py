"""Rungs of every game: each bot of its ladder against copies of the one below it.

A round robin says little about neighbours for the time it takes. Here one copy of a bot plays against copies
of the one below, in every seat on the same cards, for as many blocks as fit into a time. Interval and LOS
are by Student's t over blocks.
"""

from __future__ import annotations

import csv
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import msgspec

from arena.games import VARIANTS, variant
from arena.play import play_match
from arena.plugins import InstalledBot
from arena.rating.two_bots import compare_block_scores, compute_elo_bounds, format_los
from arena.tournament.setup.command_line import read_ladder
from arena.tournament.setup.config import Config, default_players
from benchmarks.report_sections import Section, format_elo, markdown_table

SIZES: Final = (2, 4)
SEED: Final = "rungs"
CHECKED_BLOCKS: Final = 2
"""Number of blocks of a row that have a hash, and from which its speed is estimated."""
MIN_BLOCKS: Final = 6
SHOWN: Final = 0.99
"""LOS above which a bot counts as stronger than the one below it."""
LAST: Final = ("retuned", "rollout", "expert")
"""Upper rungs of every game, the lowest first; `retuned` only where the reference run has it."""
SECTION_ID: Final = "rungs"
TITLE: Final = "Rungs of each game"
HEADER: Final = ("game", "seats", "bot", "over", "Elo", "interval", "LOS", "blocks")


Pair = tuple[str, int, str, str]
"""Game, seats, bot and the bot below it."""


class Rung(msgspec.Struct, frozen=True):
    """Lead of a bot over copies of the one below it, with a 95 % interval; None is no bound.

    Attributes:
        score: Mean score against each other seat, 0 to 1.
        los: None where no block differs from another.
        digest: Hash of the first blocks.
    """

    variant: str
    players: int
    bot: str
    below: str
    blocks: int
    score: float
    elo: float | None
    low: float | None
    high: float | None
    los: float | None
    digest: str

    @property
    def pair(self) -> Pair:
        """Game, seats, bot and the bot below."""
        return self.variant, self.players, self.bot, self.below

    @property
    def is_shown(self) -> bool:
        """True if the bot is shown to be stronger than the one below it."""
        return self.los > SHOWN if self.los is not None else (self.low or 0) > 0


def list_bots(config: Config, game: str) -> list[str]:
    """Return the ladder of a game, the weakest bot first: its rungs in `arena grade`, then `LAST`."""
    rungs = [bot for bot in read_ladder().rungs[game] if bot not in LAST]
    played = {
        bot
        for entry in config.variants
        if entry.rules.name == game
        for bot in entry.bots or [bot.name for bot in config.bots]
    }
    return [*rungs, *[bot for bot in LAST if bot in played or bot != "retuned"]]


def list_pairs(config: Config) -> list[Pair]:
    """Return the pairs of all rows: neighbours in `list_bots` and, at the usual size, in `arena grade`."""
    ladder = read_ladder().rungs
    pairs = [
        (rules.name, players, bot, below)
        for rules in VARIANTS
        for players in SIZES
        for below, bot in [
            *pairwise(list_bots(config, rules.name)),
            *(pairwise(ladder[rules.name]) if players == default_players(rules) else ()),
        ]
    ]
    return list(dict.fromkeys(pairs))


def play_blocks(game: str, players: int, bot: str, below: str) -> Iterator[tuple[float, bytes]]:
    """Yield the score of each block, and its records as bytes."""
    rules, ours, theirs = variant(game), InstalledBot(bot).load(), InstalledBot(below).load()
    number = 0
    while True:
        scores, played = [], []
        for seat in range(players):
            seats = [ours if place == seat else theirs for place in range(players)]
            record: dict[str, Any] = play_match(rules, seats, seed=f"{SEED}/{number}")
            placings = record["placings"]
            others = [placing for place, placing in enumerate(placings) if place != seat]
            scores.append(
                fmean((placing > placings[seat]) + 0.5 * (placing == placings[seat]) for placing in others)
            )
            played.append(record["deals"])
        yield fmean(scores), msgspec.json.encode(played)
        number += 1


def find_digest(blocks: Sequence[bytes]) -> str:
    """Return the hash of the first blocks of a row."""
    return blake2b(b"".join(blocks[:CHECKED_BLOCKS]), digest_size=8).hexdigest()


def measure(pair: Pair, seconds: float, max_blocks: int) -> Rung:
    """Play a row for a time, measured by its first blocks, or for as many blocks as there may be."""
    scores: list[float] = []
    records: list[bytes] = []
    next(play_blocks(*pair))  # loads what was compiled before
    wanted, start = max_blocks, time.process_time()
    for score, record in play_blocks(*pair):
        scores.append(score)
        if len(scores) <= CHECKED_BLOCKS:
            records.append(record)
        if len(scores) == CHECKED_BLOCKS:
            pace = max((time.process_time() - start) / CHECKED_BLOCKS, 1e-6)
            wanted = min(max_blocks, max(MIN_BLOCKS, int(seconds / pace)))
        if len(scores) >= wanted:
            break
    result = compare_block_scores(scores)
    low, high = compute_elo_bounds(result)
    elo, low, high = [None if end is None else round(end, 1) + 0.0 for end in (result.elo, low, high)]
    los = None if result.los is None else round(result.los, 6)
    score = round(fmean(scores), 6)
    return Rung(*pair, len(scores), score, elo, low, high, los, find_digest(records))


def play_again(row: Rung) -> bool:
    """Play the first blocks of a row again; return whether they give the same bytes."""
    blocks = play_blocks(*row.pair)
    return find_digest([next(blocks)[1] for _ in range(CHECKED_BLOCKS)]) == row.digest


def read_rungs(file: Path) -> list[Rung]:
    """Return the rows of a file, none if it does not exist."""
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as lines:
        rows = [{name: text or None for name, text in row.items()} for row in csv.DictReader(lines)]
    return msgspec.convert(rows, list[Rung], strict=False)


def write_rungs(file: Path, rows: Sequence[Rung]) -> None:
    """Write rows as CSV."""
    with file.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(Rung.__struct_fields__)
        writer.writerows(
            [["" if cell is None else cell for cell in msgspec.structs.astuple(row)] for row in rows]
        )


def list_cells(rows: Sequence[Rung]) -> list[list[str]]:
    """Return the cells of the table."""
    return [
        [
            row.variant,
            str(row.players),
            row.bot,
            row.below,
            _describe_elo(row),
            _describe_interval(row),
            "–" if row.los is None else format_los(row.los),
            str(row.blocks),
        ]
        for row in rows
    ]


def make_section(rows: Sequence[Rung]) -> Section:
    """Return the table as a section of the report."""
    return Section(SECTION_ID, TITLE, NOTE, COMMAND, HEADER, list_cells(rows))


def name_pair(pair: Pair) -> str:
    """Return a row in words."""
    game, players, bot, below = pair
    return f"`{bot}` over `{below}` at `{game}` with {players}"


def count_missing(rows: Sequence[Rung], wanted: Sequence[Pair]) -> str:
    """Return how many of the wanted rows are missing at which games, in words."""
    measured = {row.pair for row in rows}
    all_rows = Counter(game for game, *_ in wanted)
    missing = Counter(pair[0] for pair in wanted if pair not in measured)
    return ", ".join([f"{count} of {all_rows[game]} at `{game}`" for game, count in missing.items()])


def page(rows: Sequence[Rung], wanted: Sequence[Pair]) -> str:
    """Return the part of the page: the rungs not shown to be above, and how many of `wanted` have no row."""
    missing = count_missing(rows, wanted)
    return (
        f"## {TITLE}\n\n{NOTE} `rungs.csv` and the report have all rows.\n\n"
        f"{sum(row.is_shown for row in rows)} of {len(rows)} rungs are shown to be above the one below, with "
        "a LOS above 99 %. These are not:\n\n"
        f"{markdown_table(HEADER, list_cells([row for row in rows if not row.is_shown]))}\n"
        + (f"Not measured yet: {missing}.\n\n" if missing else "")
        + f"```sh\n{COMMAND}\n```\n\n"
        "The command measures the rows that are missing; `check` plays the first blocks of some rows again.\n"
    )


NOTE: Final = (
    "Elo by which each bot of a game's ladder leads the one below it, with four seats also the one below it "
    "in `arena grade`, alone at the table with copies of "
    "that, in every seat on the same cards, with a 95 % interval and the likelihood of superiority (LOS). "
    "The number of blocks is what fitted into the time for a row, so slow bots have wide intervals."
)
COMMAND: Final = "python -m benchmarks.reference_run rungs --seconds SECONDS"


def _describe_elo(row: Rung) -> str:
    if row.elo is None:
        return "every point won" if row.score else "every point lost"
    return format_elo(row.elo)


def _describe_interval(row: Rung) -> str:
    if row.los is None and row.score == 1 / 2:
        return "no block differs"
    return f"{format_elo(row.low)} to {format_elo(row.high)}"
