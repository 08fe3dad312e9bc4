"""Formats that compare bots on the same cards: their seatings, and the result of a block.

Without a field both bots share a table, each with about half of the seats, or one of them plays against
copies of the other. With a field one of them sits at a table of others, and then the other in its place; so
do any number of bots.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from arena.columns.number_format import format_count
from arena.errors import ConfigError
from arena.plugins import BotSpec, FileBot, FolderBot
from arena.plugins.bot_source import hash_files
from arena.plugins.bot_spec import label_bots
from arena.plugins.manifest import MANIFEST
from arena.tournament.formats.base import Format, RunFacts, Stage, playing_message
from arena.tournament.paired_blocks import Seating, Side, compare_bots, compare_placings, rotate
from arena.tournament.schedule import Block, schedule_rng
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import BlockResult, MatchResult

GROWTH: Final = 1.5
"""Factor between the blocks of two looks: each look widens the intervals, each late one costs some blocks."""


class PairedFormat(Format):
    """A format that compares bots in the same seats, on the same cards, at one game."""

    seats_copies = True
    stops_by_results = True

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """True if no block is left to play."""

    def answer(self, run: RunFacts, width: int | None = None) -> str:
        """Return the verdict and, if it is over, the seed."""
        text = self.verdict(run, width)
        return f"{text}\n\nIts seed is {run.seed}" if self.is_over else text

    @property
    @abstractmethod
    def total_range(self) -> tuple[int, int]:
        """The blocks up to the first look, and all there can be."""

    def count_to(self, stage: Stage) -> int:
        """Return the greatest number of blocks there can be: nobody knows at which look it ends."""
        return self.total_range[1]

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        if len(config.variants) > 1 or len(config.variants[0].players) > 1:
            raise ConfigError(f"variants: a {config.format} takes one game with one number of players")


class CandidateBlock(NamedTuple):
    """The result of one block for one of several bots."""

    score: float
    """Mean share of the points that its seats take from the seats of others, a tie counting half."""
    payoff: float
    """Mean for a seat of a match."""
    faults: int
    opponents: tuple[str, ...] = ()
    """The other bots of its pairs, if they play in pairs."""


def draw_opponents(field: Sequence[str], seats: int, index: int, seed: str, *always: str) -> list[str]:
    """Return the opponents at the table of a block: all of a field equally often, in random order.

    Args:
        field: Bots that take turns.
        seats: Number of them at a table.
        index: Number of the block.
        seed: Seed of the order.
        always: Further bots, which sit at each table.
    """
    others = [*always, *(field[place % len(field)] for place in range(index * seats, (index + 1) * seats))]
    schedule_rng(seed, "field", index).shuffle(others)
    return others


def substitute(bots: Sequence[str], others: Sequence[str]) -> Iterator[Seating]:
    """Yield, for each rotation, the seatings of each bot in turn with the others, in the same place."""
    for same_place in zip(*(rotate([bot, *others]) for bot in bots), strict=True):
        yield from same_place


def score_bot(block: Block, result: BlockResult, bot: str) -> float:
    """Return the mean score of a bot against the others in a block, over the matches in which it sat."""
    sides = (
        Side(*seated, bot) for seated in zip(block.seatings, result.matches, strict=True) if bot in seated[0]
    )
    return fmean(side.score for side in sides)


def draw_pairs(bots: Sequence[str], index: int, seed: str) -> list[tuple[str, str]]:
    """Return random pairs of two or more bots for a block; if their number is odd, one is in two pairs."""
    order = sorted(bots)
    schedule_rng(seed, "pairs", index).shuffle(order)
    return list(zip(order[::2], [*order[1::2], order[0]], strict=False))


def measure_pairs(
    pairs: Sequence[tuple[str, str]], seatings: Sequence[Seating], matches: Sequence[MatchResult]
) -> dict[str, CandidateBlock]:
    """Return the result of each bot of a block whose seatings are those of `share_seats` for each pair."""
    number = len(seatings) // len(pairs)
    met: dict[str, list[tuple[str, float, float, int]]] = {}
    for i, (first, second) in enumerate(pairs):
        own = slice(i * number, (i + 1) * number)
        compared = compare_bots(seatings[own], matches[own], first, second, in_field=False)
        for bot, other, score, of in (
            (first, second, compared.score, 0),
            (second, first, 1 - compared.score, 1),
        ):
            met.setdefault(bot, []).append((other, score, compared.payoffs[of], compared.faults[of]))
    results = {}
    for bot, rows in met.items():
        others, scores, payoffs, faults = zip(*rows, strict=True)
        results[bot] = CandidateBlock(fmean(scores), fmean(payoffs), sum(faults), others)
    return results


def measure_substitutes(
    bots: Sequence[str], players: int, matches: Sequence[MatchResult]
) -> dict[str, CandidateBlock]:
    """Return the result of each bot of a block whose seatings are those of `substitute`."""
    seats = [-rotation % players for rotation in range(players)]
    return {
        bot: _measure_seats(list(zip(seats, matches[number :: len(bots)], strict=True)))
        for number, bot in enumerate(bots)
    }


def _measure_seats(played: Sequence[tuple[int, MatchResult]]) -> CandidateBlock:
    scores = [
        compare_placings(match.placings[seat], placing)
        for seat, match in played
        for other, placing in enumerate(match.placings)
        if other != seat
    ]
    return CandidateBlock(
        fmean(scores),
        fmean(match.payoffs[seat] for seat, match in played),
        sum(of == seat for seat, match in played for of, _, _ in match.faults),
    )


# --- words ---
# What the verdicts of these formats share.


def announce_blocks(run: RunFacts, number: str, workers: str, where: Path | None, candidates: int) -> str:
    """Return the message before blocks are played, with a line for each bot that is there several times.

    Args:
        run: The run.
        number: How many blocks.
        workers: Who plays them.
        where: The folder in which the run is kept, if it is.
        candidates: Number of bots, the first of the config, that are compared.
    """
    same = describe_same_bots(run.config.bots, candidates)
    notes = [f"{sentence}: any difference is chance" for sentence in same]
    kept = f" into {where}" if where else ""
    return "\n".join([playing_message(f"{number}{kept}", run, workers), *notes])


def describe_same_bots(bots: Sequence[BotSpec], candidates: int) -> list[str]:
    """Return which of the first `candidates` bots have the same content and settings, without a full stop."""
    labels = label_bots(bot.name for bot in bots)
    same = defaultdict[tuple[str, str], list[BotSpec]](list)
    for bot in bots[:candidates]:
        same[_hash_code(bot), str(bot.settings)].append(bot)
    sentences = []
    for copies in same.values():
        if len(copies) > 1:
            named = (" and " if len(copies) == 2 else ", ").join(labels[bot.name] for bot in copies)
            sentences.append(f"{named} are the same bot, content {copies[0].source.digest()[:12]}")
    return sentences


def uncounted_text(run: RunFacts, counted: int, first: int) -> str:
    """Return which blocks of a comparison that was stopped between two looks are not counted, and why.

    Args:
        run: The run, which is not over.
        counted: Blocks up to the last look.
        first: Blocks up to the first look.
    """
    played = format_count(run.count_blocks() - counted, "blocks")
    if not counted:
        return (
            f"Stopped before the first look, after {format_count(first, 'blocks')}: no result yet. "
            f"Played so far: {played}."
        )
    return (
        f"Not counted: {played}, played since the last look after {counted:,}. "
        "The interval holds at looks alone, which are fixed in advance."
    )


def describe_disqualified(run: RunFacts, faults: Sequence[int]) -> dict[str, str]:
    """Return a sentence for each compared bot that lost too many matches by its faults, by name.

    `faults` are those of the first bots of the config, which are the compared ones.
    """
    if not any(faults):
        return {}
    losses, compared = run.fault_losses(), run.config.bots[: len(faults)]
    labels = label_bots(bot.name for bot in run.config.bots)
    return {
        name: f"{disqualification_text(labels[name], losses.lost[name], losses.matches[name])}. "
        "Its score is that of the arena's safest actions."
        for name in (bot.name for bot in compared)
        if name in losses.since
    }


def disqualification_text(bot: str, lost: int, matches: int) -> str:
    """Return that a bot is disqualified, and why, as a sentence without its end."""
    return f"{bot} is disqualified: it lost {lost:,} of {matches:,} matches by its faults"


def describe_shared_seats(players: int) -> str:
    """Return how two bots share the seats of a table."""
    if players % 2:
        return "each in turn with one seat more than the other, all round the table"
    return "each in half of the seats, and then in the other half"


def _hash_code(bot: BotSpec) -> str:
    """Return the hash of a bot's class and files, without a `bot.toml`, which a snapshot adds."""
    target = bot.source.launch().target if isinstance(bot.source, FileBot | FolderBot) else ""
    if not target:
        return bot.source.digest()
    files = [("", path) for name, path in bot.source.files() if name != MANIFEST]
    return hash_files(target.rpartition(":")[2], files)
