"""Results of a run from its stored blocks: games and fits, effects of seats, matches for a report.

A `ResultsReader` counts the stored blocks and samples matches in one pass; each game is fitted once.
"""

from __future__ import annotations

import dataclasses
import struct
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappush, heappushpop
from itertools import count
from typing import Final, NamedTuple

import numpy as np

from arena.errors import ConfigError, suggest_nearest
from arena.games import Rules
from arena.plugins.bot_spec import label_bots
from arena.rating.anytime import fit_anytime
from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.luck_adjustment import Controls, LuckAdjustment, adjust_for_luck
from arena.rating.mean_intervals import ClusteredMeans, PairScore, compute_pair_scores
from arena.rating.model_fit import ModelFit, assess_model_fit
from arena.rating.pair_counts import PairCounts
from arena.rating.student_t import MeanEstimate
from arena.tournament.formats import Scoreboard
from arena.tournament.results.rating_rows import (
    NO_MARKS,
    Anchor,
    RatingRow,
    anchor_rows,
    rank_bots,
    rate_game,
    rate_overall,
)
from arena.tournament.schedule import deal_seed, parse_game
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import OUTCOME, Failure, MatchResult, Outcome, PackedBlock, unpack_matches
from arena.tournament.store.played_blocks import (
    BATCH_BLOCKS,
    CountedBlock,
    Game,
    PlayedBlock,
    Tally,
    add_outcomes,
    block_error,
    unpack_played,
    unpack_seatings,
)

# --- seat effects ---
# Mean placing and payoff by seat, counted from the first dealer.

SEAT_BLOCKS: Final = 2_000
BATCH_MATCHES: Final = 20_000
"""Matches counted at a time."""


def seats_from_dealer(rules: Rules, players: int, seed: str) -> list[int]:
    """Return for each seat of a match its place from the first dealer's left neighbour, 0, to the dealer."""
    match = rules.match(players, seed)
    dealer = (match.finished_deals[0] if match.finished_deals else match.deal).opening.dealer
    return [(rules.step * (seat - dealer) - 1) % players for seat in range(players)]


class SeatMeans:
    """Mean placing and payoff by seat of one game, from the first dealer's left neighbour to the dealer."""

    def __init__(self, rules: Rules, players: int) -> None:
        self._rules, self._players = rules, players
        self._placings, self._payoffs = ClusteredMeans(players), ClusteredMeans(players)
        self._waiting: list[tuple[int, list[int], MatchResult]] = []
        """Matches that are not counted yet, as many at once are counted far faster: block, seats, result."""

    def add(self, index: int, address: str, matches: Sequence[MatchResult], seed: str) -> None:
        """Count a block of this game, whose deals have this seed."""
        seats = seats_from_dealer(self._rules, self._players, deal_seed(seed, address))
        self._waiting += [(index, seats, match) for match in matches]
        if len(self._waiting) >= BATCH_MATCHES:
            self._count()

    def means(self) -> list[tuple[MeanEstimate, MeanEstimate]]:
        """Return placing and payoff by seat."""
        self._count()
        return [(self._placings.mean(seat), self._payoffs.mean(seat)) for seat in range(self._players)]

    def _count(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        blocks = np.repeat([index for index, _, _ in waiting], self._players)
        seats = [seats for _, seats, _ in waiting]
        self._placings.add(blocks, seats, [match.placings for _, _, match in waiting])
        self._payoffs.add(blocks, seats, [match.payoffs for _, _, match in waiting])


class SeatEffects:
    """Means of each game, computed when they are asked for from the first blocks of a run."""

    def __init__(self, rules: Mapping[str, Rules] = {}, seed_of: Callable[[int], str] = str) -> None:
        self._rules, self._seed_of = rules, seed_of
        self._first: list[CountedBlock] = []

    def add(self, block: PackedBlock, outcome: Outcome) -> None:
        """Keep a block if it is one of the first `SEAT_BLOCKS`."""
        if len(self._first) < SEAT_BLOCKS:
            self._first.append((block, outcome))

    @property
    def blocks(self) -> int:
        """Blocks the means are from, of all games."""
        return len(self._first)

    @cached_property
    def by_game(self) -> dict[Game, SeatMeans]:
        """Means in schedule order."""
        return measure_seats(
            ((block.index, block.address, unpack_matches(outcome)) for block, outcome in self._first),
            self._rules,
            self._seed_of,
        )


def measure_seats(
    blocks: Iterable[tuple[int, str, Sequence[MatchResult]]],
    rules: Mapping[str, Rules],
    seed_of: Callable[[int], str],
) -> dict[Game, SeatMeans]:
    """Return the means of each game from blocks given by index, address and matches.

    `seed_of` returns the seed of a block by its index.
    """
    means: dict[Game, SeatMeans] = {}
    for index, address, matches in blocks:
        variant, players = game = parse_game(address)
        if game not in means:
            means[game] = SeatMeans(rules[variant], players)
        means[game].add(index, address, matches, seed_of(index))
    return means


# --- match sample ---
# Matches spread evenly over the schedule, the first faulty ones among them.

SAMPLE_SIZE: Final = 200
"""Matches of a run, at most."""
MAX_FAULTY: Final = 20
"""Matches among them that are chosen for a fault."""
MULTIPLIER: Final = 2654435761
MODULUS: Final = 1 << 32
"""Their quotient is the golden ratio: multiples of it modulo 1 are spread evenly."""


class SampledMatch(NamedTuple):
    """A match by its place in the run."""

    number: int
    """Number of its record among those of all matches, from 1."""
    place: int
    """Place of its block in the schedule."""
    rotation: int


class _Drawn(NamedTuple):
    """A block in the order it is preferred for the sample."""

    rank: int
    place: int
    """Negated."""
    first: int
    """Number of its first match."""
    matches: int


class MatchSampler:
    """Choose up to `size` matches of a run while its blocks pass by in schedule order.

    Blocks are chosen by a hash of their place in the schedule, equally many of each game; of each block one
    match is taken, and more while there is room.
    """

    def __init__(self, size: int, games: int) -> None:
        self._size, self._games = size, games
        self._of_game = max(1, size // games)
        self._faulty_left = min(MAX_FAULTY, size // 10)
        self._drawn: dict[Game, list[_Drawn]] = {}
        self._faulty: list[SampledMatch] = []
        self.matches = 0
        """Seen so far."""

    def add(self, block: PackedBlock, game: Game, outcome: Outcome) -> None:
        """Consider a block."""
        drawn, faults = self._drawn.setdefault(game, []), outcome.faults
        match = _Drawn(-(block.index * MULTIPLIER % MODULUS), -block.index, self.matches + 1, len(faults))
        if len(drawn) < self._of_game:
            heappush(drawn, match)
        elif match > drawn[0]:
            heappushpop(drawn, match)
        if self._faulty_left and any(faults):
            faulty = [rotation for rotation, own in enumerate(faults) if own][: self._faulty_left]
            self._faulty_left -= len(faulty)
            self._faulty += [
                SampledMatch(self.matches + 1 + rotation, block.index, rotation) for rotation in faulty
            ]
        self.matches += len(faults)

    def sample(self) -> list[SampledMatch]:
        """Return the matches chosen, in schedule order."""
        chosen = {match.number: match for match in self._faulty}
        of_game = max(1, (self._size - len(chosen)) // self._games)
        for drawn in self._drawn.values():
            chosen |= {match.number: match for match in _take_matches(sorted(drawn, reverse=True), of_game)}
        return [chosen[number] for number in sorted(chosen)]


def _take_matches(drawn: list[_Drawn], wanted: int) -> list[SampledMatch]:
    """Take matches from blocks in turn: one of each, then another of each, and so on."""
    matches: list[SampledMatch] = []
    for turn in count():
        before = len(matches)
        for block in drawn:
            if turn < block.matches and len(matches) < wanted:
                rotation = (turn - block.rank) % block.matches
                matches.append(SampledMatch(block.first + rotation, -block.place, rotation))
        if len(matches) == before:
            break
    return matches


# --- run results ---


@dataclass(frozen=True, eq=False)
class GameResults:
    """Results of one variant at one table size; the only place where the rating model is fitted."""

    game: Game
    tally: Tally
    controls: Controls | None = None
    """Those of luck, where they were computed."""
    players_of_game: Collection[str] | None = None
    """Names of the bots that play the game; None for all."""
    marks: Mapping[str, str] = dataclasses.field(default_factory=lambda: NO_MARKS)
    """The reason for which bots are not ranked, by name: `disqualified` or `withdrawn`."""
    labels: Mapping[str, str] = dataclasses.field(default_factory=lambda: NO_MARKS)
    """Printed texts by name, see `label_bots`."""
    are_tables_drawn: bool = False
    """True if the tables are a sample of those possible."""
    is_anytime: bool = False
    """True if the errors of the ratings hold at all numbers of blocks together."""
    anchor: Anchor | None = None
    """The bot to which the ratings are relative; None for the centre of the field."""

    @property
    def variant(self) -> str:
        """The variant as printed."""
        return self.game[0]

    @property
    def players(self) -> int:
        """The number of seats at a table."""
        return self.game[1]

    @property
    def field(self) -> Collection[str]:
        """Names of the bots that play the game."""
        return self.tally.bots if self.players_of_game is None else self.players_of_game

    @property
    def title(self) -> str:
        """Printed variant and players."""
        return f"{self.variant}, {self.players} players"

    @cached_property
    def pair_counts(self) -> PairCounts:
        """The number of times each bot finished ahead of each other, by block."""
        return self.tally.pair_counts()

    @cached_property
    def fit(self) -> Fit:
        """Ratings."""
        fit = fit_anytime if self.is_anytime else fit_elo
        return fit(self.pair_counts, are_tables_drawn=self.are_tables_drawn)

    @cached_property
    def model_fit(self) -> ModelFit | None:
        """The pair that the ratings explain worst; None where they can explain anything."""
        return assess_model_fit(self.pair_counts, self.fit)

    @property
    def ranking(self) -> list[int]:
        """The numbers of the bots that play the game, best first; see `rank_bots`."""
        return [bot for bot in rank_bots(self.fit, self.marks) if self.fit.bots[bot] in self.field]

    def label(self, bot: int) -> str:
        """Return what is printed for the name of a bot."""
        name = self.fit.bots[bot]
        return self.labels.get(name, name)

    def text_name(self, bot: int) -> str:
        """Return the label of a bot, followed by its mark if it is not ranked."""
        name, label = self.fit.bots[bot], self.label(bot)
        return f"{label} ({self.marks[name]})" if name in self.marks else label

    def fit_without_tables_of(self, pairs: Iterable[tuple[int, int]]) -> Fit:
        """Return the ratings of the blocks in which no two bots of `pairs`, by number, met."""
        counts = self.pair_counts.without_tables_of(pairs)
        return fit_elo(counts, are_tables_drawn=self.are_tables_drawn)

    @cached_property
    def luck(self) -> LuckAdjustment | None:
        """Ratings adjusted for luck; None where its controls were not computed."""
        return self.controls and adjust_for_luck(self.fit, self.pair_counts, self.controls)

    @cached_property
    def pair_scores(self) -> tuple[PairScore, ...]:
        """Score of each bot against each other that it met."""
        return compute_pair_scores(self.pair_counts)

    @cached_property
    def rows(self) -> list[RatingRow]:
        """Rows of the table of ratings, best first."""
        rows = rate_game(self.game, self.fit, self.tally, self.luck, self.marks, self.labels)
        own = [row for row in rows if row.bot in self.field]
        if self.is_anytime:  # the error of a payoff holds at one number of blocks
            own = [replace(row, is_anytime=True, payoff_error=None) for row in own]
        return anchor_rows(own, self.anchor, self.fit) if self.anchor else own


@dataclass(frozen=True)
class RunResults:
    """All that is counted of a run's stored blocks."""

    games: Mapping[Game, GameResults]
    """Results by game, in schedule order."""
    scoreboard: Scoreboard | None = None
    """Standings by the rules of the format; None where the ratings are the standings."""
    blocks: int = 0
    matches: int = 0
    faults: Counter[tuple[str, str]] = dataclasses.field(default_factory=Counter)
    """Number of faults by bot and kind."""
    failures: Mapping[Failure, int] = dataclasses.field(default_factory=dict)
    """Number of times that each distinct failure of a bot happened."""
    disqualified: Mapping[str, int] = dataclasses.field(default_factory=dict)
    """First block without each disqualified bot."""
    sample: Sequence[SampledMatch] = ()
    """Matches for a report to show."""
    extensions: int = 0
    """Number of times that the run was extended with its own results in view."""
    seat_effects: SeatEffects = dataclasses.field(default_factory=SeatEffects)
    """Effects of seats in the first blocks."""

    @cached_property
    def fits(self) -> dict[Game, Fit]:
        """Ratings by game."""
        return {game: results.fit for game, results in self.games.items()}

    @cached_property
    def overall(self) -> list[RatingRow]:
        """Rows over all games; none where there is but one, where bots differ by game, or nobody is rated."""
        if len({frozenset(game.field) for game in self.games.values()}) > 1:
            return []
        rows = [row for game in self.games.values() for row in game.rows]
        adjusted = [game.luck.fit for game in self.games.values() if game.luck]
        is_adjusted = len(adjusted) == len(self.games)
        over = list(rate_overall(rows, self.fits, adjusted if is_adjusted else (), self.marks, self.labels))
        if all(row.elo is None for row in over):
            return []
        return anchor_rows(over, self.anchor) if self.anchor else over

    @property
    def marks(self) -> Mapping[str, str]:
        """The reason for which bots are not ranked, by name: `disqualified` or `withdrawn`."""
        return next((game.marks for game in self.games.values()), NO_MARKS)

    @property
    def labels(self) -> Mapping[str, str]:
        """The printed texts of bots that have a short name, by name."""
        return next((game.labels for game in self.games.values()), NO_MARKS)

    @property
    def rows(self) -> list[RatingRow]:
        """Rows of the table of ratings: game by game, the overall last."""
        return [row for game in self.games.values() for row in game.rows] + self.overall

    def adjusted(self, controls: Mapping[Game, Controls]) -> RunResults:
        """Return the results with ratings adjusted for luck as well, given the controls of each game."""
        games = {
            game: replace(results, controls=controls[game]) if game in controls else results
            for game, results in self.games.items()
        }
        return replace(self, games=games)

    def with_marks(self, marks: Mapping[str, str]) -> RunResults:
        """Return the results with the bots of these names below the ranking, each with its mark."""
        if not marks:
            return self
        return replace(
            self, games={game: replace(result, marks=marks) for game, result in self.games.items()}
        )

    @property
    def anchor(self) -> Anchor | None:
        """The bot to which the ratings are relative; None for the centre of each field."""
        return next((game.anchor for game in self.games.values()), None)

    def with_anchor(self, anchor: Anchor) -> RunResults:
        """Return the results with ratings relative to a bot."""
        known = {bot for result in self.games.values() for bot in result.field}
        if anchor.bot not in known:
            raise ConfigError(f"no bot is called {anchor.bot!r}; {suggest_nearest(anchor.bot, known)}")
        rows = [row for result in self.games.values() for row in result.rows if row.bot == anchor.bot]
        if all(row.elo is None for row in rows):
            raise ConfigError(f"{anchor.bot} has no Elo, since it met no other bot: choose another anchor")
        games = {game: replace(result, anchor=anchor) for game, result in self.games.items()}
        return replace(self, games=games)

    def with_anytime(self, is_anytime: bool = True) -> RunResults:
        """Return the results with errors that hold at all numbers of blocks, or at this one alone."""
        games = {game: replace(result, is_anytime=is_anytime) for game, result in self.games.items()}
        return replace(self, games=games)

    def with_extensions(self, extensions: int) -> RunResults:
        """Return the results of a run that was extended so often, whose errors must hold at all looks."""
        results = replace(self, extensions=extensions)
        return results.with_anytime() if extensions else results

    @property
    def is_anytime(self) -> bool:
        """True if the errors of the ratings hold at all numbers of blocks together."""
        return any(game.is_anytime for game in self.games.values())

    def of_variant(self, name: str | None) -> RunResults:
        """Return the results of one variant, named with its options or without; all without a name."""
        if name is None:
            return self
        variants = {variant for variant, _ in self.games}
        games = {
            game: results
            for game, results in self.games.items()
            if name in (game[0], game[0].partition("(")[0])
        }
        if not games:
            raise ConfigError(f"this run has no {name!r}; {suggest_nearest(name, variants)}")
        return replace(self, games=games)


class ResultsReader:
    """Count stored blocks in one pass; iterating over it yields them as they are read.

    Args:
        config: The bots and games.
        seed_of: Returns the seed of a block by its index.
        outcomes: The blocks.
        sample_size: Matches to choose for a report, at most.
    """

    def __init__(
        self,
        config: Config,
        seed_of: Callable[[int], str],
        outcomes: Iterable[PackedBlock],
        sample_size: int = SAMPLE_SIZE,
    ) -> None:
        self.bots = tuple(bot.name for bot in config.bots)
        """Names by number, as stored blocks have them."""
        self._fields = {
            (str(entry.rules), size): config.field(entry)
            for entry in config.variants
            for size in entry.players
        }
        self._outcomes = iter(outcomes)
        self._tallies: dict[Game, Tally] = {}
        self._batch: list[CountedBlock] = []
        self._sampler = MatchSampler(sample_size, sum(len(entry.players) for entry in config.variants))
        self._faults: Counter[tuple[str, str]] = Counter()
        self._seats = SeatEffects({str(entry.rules): entry.rules for entry in config.variants}, seed_of)
        self._blocks = 0

    def __iter__(self) -> Iterator[PlayedBlock]:
        return (unpack_played(stored, self.bots) for stored in self.stored())

    def stored(self) -> Iterator[PackedBlock]:
        """Yield the blocks as they are stored, each when it is counted."""
        for stored in self._outcomes:
            self._count(stored)
            yield stored

    def results(
        self, draws_tables: Callable[[Game], bool], scoreboard: Scoreboard | None = None
    ) -> RunResults:
        """Count what has not been read yet, and return the results.

        Args:
            draws_tables: Whether the tables of a game are a sample, `Format.draws_tables`.
            scoreboard: The standings by the rules of the format.
        """
        for stored in self._outcomes:
            self._count(stored)
        self._flush()
        labels = label_bots(self.bots)
        return RunResults(
            games={
                game: GameResults(
                    game,
                    tally,
                    players_of_game=self._fields[game],
                    labels=labels,
                    are_tables_drawn=draws_tables(game),
                )
                for game, tally in self._tallies.items()
            },
            scoreboard=scoreboard,
            blocks=self._blocks,
            matches=self._sampler.matches,
            faults=self._faults,
            sample=self._sampler.sample(),
            seat_effects=self._seats,
        )

    def _count(self, stored: PackedBlock) -> None:
        try:
            outcome, game = OUTCOME.decode(stored.outcome), parse_game(stored.address)
            if any(outcome.faults):
                self._count_faults(unpack_seatings(stored, game, self.bots), outcome)
        except (ValueError, IndexError, struct.error) as error:
            raise block_error(stored, error) from error
        self._blocks += 1
        self._sampler.add(stored, game, outcome)
        self._seats.add(stored, outcome)
        self._batch.append((stored, outcome))
        if len(self._batch) >= BATCH_BLOCKS:
            self._flush()

    def _count_faults(self, seatings: list[list[str]], outcome: Outcome) -> None:
        for seating, faults in zip(seatings, outcome.faults, strict=True):
            for seat, kind, _ in faults:
                self._faults[seating[seat], kind] += 1

    def _flush(self) -> None:
        if self._batch:
            add_outcomes(self._tallies, self._batch, self.bots)
            self._batch = []
