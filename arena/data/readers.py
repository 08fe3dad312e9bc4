"""Rows read from a run's database; no bot is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.columns.number_format import to_percent
from arena.data.row_types import BlockRow, DealRow, DecisionRow, TallyRow
from arena.errors import ArenaError, StoreError
from arena.games import Match, View
from arena.games.notation_writer import format_cards
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.result_files import MatchRow, match_rows
from arena.tournament.run import Run
from arena.tournament.schedule import Block, deal_seed
from arena.tournament.store.codec import BlockResult, MatchResult


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
            seed=deal_seed(run.seed, block.address),
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


class MatchReplayer:
    """Replay the matches of a run's blocks from their seeds and actions."""

    def __init__(self, run: Run) -> None:
        self._player = BlockPlayer(RunPlan.from_config(run.config, run.seed))

    def replay(self, block: Block, result: BlockResult) -> Iterator[PlayedMatch]:
        """Yield the matches of a block.

        Raises:
            StoreError: If they do not fit its seatings or the rules.
        """
        for _ in block_matches(block, result):
            pass  # reading them checks them
        for rotation, played in enumerate(result.matches):
            try:
                match = self._player.replay_match(block, played)
            except ArenaError as error:
                where = f"block {block.index} ({block.address})"
                raise StoreError(f"{where} is damaged: {error}; run `arena verify` for more") from None
            yield PlayedMatch(block, rotation, played, match)


def replay_run(run: Run) -> Iterator[PlayedMatch]:
    """Yield all matches played so far, replayed, in schedule order."""
    replayer = MatchReplayer(run)
    for block, result in run.played():
        yield from replayer.replay(block, result)


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
