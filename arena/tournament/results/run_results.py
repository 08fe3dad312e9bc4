"""Results of a run: its stored blocks counted once, each game fitted once, for whatever shows them."""

from __future__ import annotations

import dataclasses
import struct
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from arena.errors import ConfigError, suggest_nearest
from arena.plugins.bot_spec import label_bots
from arena.rating.anytime import fit_anytime
from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.luck_adjustment import Controls, LuckAdjustment, adjust_for_luck
from arena.rating.mean_intervals import PairScore, compute_pair_scores
from arena.rating.model_fit import ModelFit, assess_model_fit
from arena.rating.pair_counts import PairCounts
from arena.tournament.formats import Scoreboard
from arena.tournament.results.anchor import Anchor, anchor_rows
from arena.tournament.results.match_sample import SAMPLE_SIZE, MatchSampler, SampledMatch
from arena.tournament.results.rating_rows import NO_MARKS, RatingRow, rank_bots, rate_game, rate_overall
from arena.tournament.results.seat_effects import SeatEffects
from arena.tournament.scheduling.schedule import parse_game
from arena.tournament.setup.config import Config
from arena.tournament.storage.block_result_encoding import (
    OUTCOME,
    Failure,
    Outcome,
)
from arena.tournament.storage.played_blocks import CountedBlock as CountedBlock
from arena.tournament.storage.played_blocks import block_error, unpack_seatings
from arena.tournament.storage.played_blocks import unpack_counted as unpack_counted
from arena.tournament.storage.store import StoredOutcome
from arena.tournament.storage.tally import Game, Tally, add_outcomes

BATCH_BLOCKS: Final = 2_000
"""Blocks tallied at a time."""


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
        """Variant and players, for people."""
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
        """Return the results with ratings relative to a bot.

        Raises:
            ConfigError: For a bot that plays none of the games, or has played no match yet.
        """
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
        """Return the results of one variant, named with its options or without; all without a name.

        Raises:
            ConfigError: If the run has none.
        """
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
    """Count stored blocks in one pass; iterating over it yields them as they are read."""

    def __init__(
        self,
        config: Config,
        seed: str,
        outcomes: Iterable[StoredOutcome],
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
        self._batch: list[tuple[StoredOutcome, Outcome]] = []
        self._sampler = MatchSampler(sample_size, sum(len(entry.players) for entry in config.variants))
        self._faults: Counter[tuple[str, str]] = Counter()
        self._seats = SeatEffects({str(entry.rules): entry.rules for entry in config.variants}, seed)
        self._blocks = 0

    def __iter__(self) -> Iterator[CountedBlock]:
        return (unpack_counted(stored, self.bots) for stored in self.stored())

    def stored(self) -> Iterator[StoredOutcome]:
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

        Raises:
            StoreError: Blocks are damaged.
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

    def _count(self, stored: StoredOutcome) -> None:
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
