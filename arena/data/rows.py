"""Rows of a run, read again each time, as data frames, HTML tables and replays.

The types of rows and the functions that read them come first, then what shows or converts them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar, get_args, get_type_hints, overload

import msgspec
from markupsafe import escape

from arena.columns.number_format import to_percent
from arena.errors import ArenaError, RecordError, StoreError, import_optional
from arena.games import Match, View
from arena.games.action import format_cards
from arena.output.pages.page import render_replay_page
from arena.play.records.record_check import find_recorded_rules
from arena.play.records.record_schema import decode_record
from arena.tournament.engine.block_player import BlockPlayer
from arena.tournament.files import replace_file
from arena.tournament.record_search import FoundRecord, replay_deals
from arena.tournament.result_files import MatchRow, match_rows
from arena.tournament.run import Run
from arena.tournament.schedule import Block, deal_seed
from arena.tournament.store.codec import BlockResult, MatchResult

if TYPE_CHECKING:
    import pandas
    import polars


# --- row types ---
# Rows that are not in a run's files: tallies, blocks, deals and decisions.


class TallyRow(NamedTuple):
    """Points of one bot against one other at one game and table size; ratings are fitted to these.

    Attributes:
        variant: The game with its options, as printed.
        players: Seats at the table.
        bot: Name of the bot.
        other: Name of its opponent.
        blocks: Blocks in which they met.
        pairs: Pairs of their seats in all matches.
        points: Points that `bot` took in those pairs: 1 for the better placing, a half for a tie.
        score: 100 · points / pairs, in percent.
        error: Half width of the 95 % interval of the score, in percent; None for fewer than 6 blocks, or
            where blocks do not differ.
    """

    variant: str
    players: int
    bot: str
    other: str
    blocks: int
    pairs: int
    points: float
    score: float
    error: float | None


class BlockRow(NamedTuple):
    """One block: one deal seed and the matches played on it, one for each seating.

    Attributes:
        number: Place in the schedule, from 0.
        block: Address of the block, the same in every run with this block.
        variant: The game with its options, as printed.
        players: Seats at the table.
        bots: Names of the bots in the first seating, by seat.
        matches: Matches of the block.
        faults: Failures of bots in them.
        seed: Seed of its cards: `variant(…).match(players, seed)` deals them again.
    """

    number: int
    block: str
    variant: str
    players: int
    bots: tuple[str, ...]
    matches: int
    faults: int
    seed: str


class DealRow(NamedTuple):
    """One seat of one deal.

    Attributes:
        block: Address of the block.
        variant: The game with its options, as printed.
        players: Seats at the table.
        rotation: Number of the seating in its block, from 0.
        deal: Number of the deal in its match, from 0.
        seat: The seat, from 0.
        bot: Name of the bot.
        dealer: Seat of the dealer.
        table: Cards laid out at the start.
        hand: Cards dealt to the seat; None for a seat that is not in the deal, as is `final_hand`.
        final_hand: Its cards at the end.
        actions: Number of its actions, those without a choice too.
        tokens: Change of the seat's tokens in the deal; None in games that do not settle in tokens.
        chips: The same in chips.
        points: The same in points.
        pool: Content of the pool after the deal; None in games without one.
    """

    block: str
    variant: str
    players: int
    rotation: int
    deal: int
    seat: int
    bot: str
    dealer: int
    table: str
    hand: str | None
    final_hand: str | None
    actions: int
    tokens: int | None
    chips: int | None
    points: int | None
    pool: int | None


class DecisionRow(NamedTuple):
    """One action of a seat that had at least two to choose from.

    Actions of bots that failed or were disqualified are among them: `faults` of the match counts failures.

    Attributes:
        block: Address of the block.
        variant: The game with its options, as printed.
        players: Seats at the table.
        rotation: Number of the seating in its block, from 0.
        deal: Number of the deal in its match, from 0.
        number: Place of the action among all of the deal, from 0, as in its record.
        seat: The seat, from 0.
        bot: Name of the bot.
        hand: Its cards, as the seat could see them.
        legal: Number of legal actions.
        legal_index: Place of the action in `view.legal`, from 0.
        text: The action in notation.
        placing: Placing of the seat in the whole match; 1 is best.
        payoff: Payoff of the seat in the whole match.
    """

    block: str
    variant: str
    players: int
    rotation: int
    deal: int
    number: int
    seat: int
    bot: str
    hand: str
    legal: int
    legal_index: int
    text: str
    placing: int
    payoff: int


# --- readers ---
# Rows are read from the run's database; no bot is loaded.


def read_tallies(run: Run) -> Iterator[TallyRow]:
    """Yield a row for each pair of bots that met, both ways round, game by game."""
    for (variant, players), game in run.results().games.items():
        bots, points = game.pair_counts.bots, game.pair_counts.points()
        for score in game.pair_scores:
            own, others = points[score.bot, score.other], points[score.other, score.bot]
            yield TallyRow(
                variant=variant,
                players=players,
                bot=bots[score.bot],
                other=bots[score.other],
                blocks=score.blocks,
                pairs=int(own + others),
                points=float(own),
                score=100 * score.score,
                error=to_percent(score.error),
            )


def count_tallies(run: Run) -> int:
    """Return the number of rows of `read_tallies`."""
    return sum(len(game.pair_scores) for game in run.results().games.values())


def count_match_rows(run: Run) -> int:
    """Return the number of rows of `read_matches`."""
    return sum(block.matches * block.players for block in read_blocks(run))


def read_blocks(run: Run) -> Iterator[BlockRow]:
    """Yield a row for each block, in schedule order."""
    for block, result in run.outcomes():
        yield BlockRow(
            number=block.index,
            block=block.address,
            variant=block.variant,
            players=block.players,
            bots=block.seatings[0],
            matches=len(result.matches),
            faults=sum(len(match.faults) for match in result.matches),
            seed=deal_seed(block.seed or run.seed, block.address),
        )


def read_matches(run: Run) -> Iterator[MatchRow]:
    """Yield a row for each seat of each match, in schedule order."""
    for block, result in run.outcomes():
        yield from block_matches(block, result)


def block_matches(block: Block, result: BlockResult) -> Iterator[MatchRow]:
    """Yield a row for each seat of each match of a block.

    Raises:
        StoreError: If its matches do not fit its seatings.
    """
    return match_rows(block.address, (block.variant, block.players), block.seatings, result.matches)


class PlayedMatch(NamedTuple):
    """A match of a block, replayed."""

    block: Block
    rotation: int
    result: MatchResult
    match: Match

    @property
    def key(self) -> tuple[str, str, int, int]:
        """The first columns of its rows."""
        return self.block.address, self.block.variant, self.block.players, self.rotation

    @property
    def bots(self) -> Sequence[str]:
        """Names by seat."""
        return self.block.seatings[self.rotation]


def replay_match(player: BlockPlayer, block: Block, rotation: int, result: MatchResult) -> PlayedMatch:
    """Return a match of a block, replayed from its seed and actions.

    Raises:
        StoreError: If they do not fit the rules.
    """
    try:
        return PlayedMatch(block, rotation, result, player.replay_match(block, result))
    except ArenaError as error:
        where = f"block {block.index} ({block.address})"
        raise StoreError(f"{where} is damaged: {error}; run `arena verify` for more") from None


def replay_run(run: Run) -> Iterator[PlayedMatch]:
    """Yield all matches played so far, replayed, in schedule order."""
    player = BlockPlayer(run.plan())
    for block, result in run.played():
        for _ in block_matches(block, result):
            pass  # reading them checks them
        for rotation, played in enumerate(result.matches):
            yield replay_match(player, block, rotation, played)


def deal_rows(played: PlayedMatch) -> Iterator[DealRow]:
    """Yield a row for each seat of each deal of a match."""
    key, bots = played.key, played.bots
    for number, deal in enumerate(played.match.finished_deals):
        changes, table, dealer = deal.changes, format_cards(deal.table_dealt), deal.opening.dealer
        assert changes is not None
        no_counts = [None] * len(bots)
        settled = zip(
            changes.tokens or no_counts,
            changes.chips or no_counts,
            changes.points or no_counts,
            strict=True,
        )
        actors = [event.seat for event in deal.log]
        for seat, (bot, dealt, counts) in enumerate(zip(bots, deal.dealt, settled, strict=True)):
            hands = (format_cards(dealt), deal.format_hand(seat)) if dealt else (None, None)
            columns = (*key, number, seat, bot, dealer, table, *hands, actors.count(seat), *counts)
            yield DealRow._make((*columns, changes.pool))


def match_decisions(played: PlayedMatch) -> Iterator[tuple[DecisionRow, View]]:
    """Yield the decisions of a match, each with the view it was made on, but for actions without a choice."""
    key, bots = played.key, played.bots
    placings, payoffs = played.result.placings, played.result.payoffs
    for deal in played.match.finished_deals:
        deal_number = deal.opening.number
        for number, (again, index) in enumerate(zip(deal.replay(), deal.action_indices, strict=False)):
            seat = again.to_act
            if seat is None or again.legal_actions.is_forced:
                continue
            view = again.view(seat)
            hand, legal = format_cards(view.hand), view.legal
            text, outcome = view.text(legal[index]), (placings[seat], payoffs[seat])
            columns = (*key, deal_number, number, seat, bots[seat], hand, len(legal), index, text, *outcome)
            yield DecisionRow._make(columns), view  # by keywords it takes three times as long


# --- HTML tables for notebooks ---

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


# --- lazy rows ---
# Rows of one type convert to data frames.

RowT = TypeVar("RowT")
PANDAS_TYPES: Final = {"int": "int64", "int | None": "Int64", "float": "float64", "float | None": "float64"}
SHOWN_ROWS: Final = 20
"""Rows that a notebook shows."""
POLARS_TYPES: Final = {"int": "Int64", "float": "Float64", "bool": "Boolean", "str": "String"}


class Rows(Generic[RowT]):
    """Rows of one type: every iteration reads them again from the run's folder, without keeping them.

    `rows[3]`, `rows[-1]` and `rows[:5]` read as far as they must. `len(rows)` counts without making rows; the
    rows of deals and decisions have no length, as only a replay of all matches tells it.

    Attributes:
        row_type: Class of the rows; its documentation explains the columns.
        columns: Names of the columns.
    """

    def __init__(
        self,
        row_type: type[RowT],
        read: Callable[[], Iterable[RowT]],
        count: Callable[[], int] | None = None,
    ) -> None:
        self.row_type = row_type
        self.columns = tuple(get_type_hints(row_type))
        self._read = read
        self._count = count

    def __iter__(self) -> Iterator[RowT]:
        return iter(self._read())

    def __len__(self) -> int:
        if self._count is None:
            name = self.row_type.__name__
            raise TypeError(f"only a replay tells the number of rows of {name}: sum(1 for row in rows)")
        return self._count()

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @overload
    def __getitem__(self, index: int) -> RowT: ...

    @overload
    def __getitem__(self, index: slice) -> list[RowT]: ...

    def __getitem__(self, index: int | slice) -> RowT | list[RowT]:
        if isinstance(index, slice):
            bounds = (index.start or 0, index.stop or 0, index.step or 1)
            if min(bounds) < 0:
                return list(self)[index]
            return list(islice(self, index.start, index.stop, index.step))
        if index >= 0:
            selected = list(islice(self, index, index + 1))
        else:
            last = deque(self, maxlen=-index)
            selected = [last[0]] if len(last) == -index else []
        if not selected:
            raise IndexError(f"there is no row {index}")
        return selected[0]

    def __repr__(self) -> str:
        return f"<rows of {self.row_type.__name__}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """Return the first rows as a table, for a notebook."""
        shown = self._values(SHOWN_ROWS + 1)
        note = "" if len(shown) <= SHOWN_ROWS else f"The first {SHOWN_ROWS} rows."
        return html_table(self.columns, shown[:SHOWN_ROWS], note)

    def to_pandas(self, limit: int | None = None) -> pandas.DataFrame:
        """Return the rows as a pandas data frame, which holds all of them in memory.

        Args:
            limit: Number of rows at most, 0 or more; None for all.

        Returns:
            A column for each of `columns`; types do not depend on the values. Integers that may be missing
            are `Int64`.

        Raises:
            MissingPackage: pandas is not installed.
            StoreError: The run's database is damaged.
        """
        frame = import_optional("pandas", "pandas").DataFrame(self._values(limit), columns=self.columns)
        kinds = {name: PANDAS_TYPES.get(kind) for name, kind in column_kinds(self.row_type).items()}
        return frame.astype({name: kind for name, kind in kinds.items() if kind})

    def to_polars(self, limit: int | None = None) -> polars.DataFrame:
        """Return the rows as a polars data frame, which holds all of them in memory.

        Args:
            limit: Number of rows at most, 0 or more; None for all.

        Returns:
            A column for each of `columns`; types do not depend on the values.

        Raises:
            MissingPackage: Polars is not installed.
            StoreError: The run's database is damaged.
        """
        library = import_optional("polars", "polars")
        schema = {}
        for name, kind in column_kinds(self.row_type).items():
            known = POLARS_TYPES.get(kind.removesuffix(" | None"))
            schema[name] = getattr(library, known) if known else library.List(library.String)
        frame: polars.DataFrame = library.DataFrame(self._values(limit), schema=schema, orient="row")
        return frame

    def _values(self, limit: int | None) -> list[tuple[Any, ...]]:
        return list(map(attrgetter(*self.columns), islice(self, limit)))


def column_kinds(row_type: type) -> dict[str, str]:
    """Return the type of each column by name, such as `int` or `int | None`; `tuple` for several names."""
    kinds = {}
    for name, hint in get_type_hints(row_type).items():
        union = [part for part in get_args(hint) if part not in (type(None), ...)]
        optional = type(None) in get_args(hint)
        kinds[name] = f"{union[0].__name__} | None" if optional else hint.__name__
    return kinds


# --- replay ---

FRAME_HEIGHT: Final = 720
"""Height of a replay in a notebook, in pixels."""


class Replay:
    """A match to step through: a notebook shows it, and `save` writes it as a page.

    Args:
        record: A match as `play_match` or `RunData.records` return it.

    Raises:
        RecordError: It is not a record, or breaks the rules.

    Example:
        >>> from arena import Replay, play_match, variant
        >>> replay = Replay(play_match(variant("lives", tokens=1), ["greedy", "random"], seed="x"))
        >>> replay
        <replay of lives(tokens=1): greedy, random>
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = dict(record)
        line = msgspec.json.encode(self.record)
        try:
            parsed = decode_record(line)
        except msgspec.DecodeError as error:
            raise RecordError(f"not a record of a match: {error}") from error
        self._found = FoundRecord(1, str(find_recorded_rules(parsed)), parsed, line)
        self._deals = replay_deals("the record", self._found)

    def __repr__(self) -> str:
        return f"<replay of {self._found.variant}: {', '.join(self._found.record.bots or ())}>"

    @cached_property
    def html(self) -> str:
        """The page, complete in itself."""
        return render_replay_page(self._found, self._deals)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" width="100%" '
            f'height="{FRAME_HEIGHT}" style="border:0"></iframe>'
        )

    def save(self, path: Path | str) -> None:
        """Write the page to a file."""
        with replace_file(Path(path)) as file:
            file.write(self.html.encode())
