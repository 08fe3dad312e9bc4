"""What a seat is worth: results by the place after the first dealer, and those of bots that are all alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.games import Rules
from arena.rating import ClusteredMeans, MeanEstimate
from arena.tournament.scheduling.schedule import Block
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.block_results import BlockResult
from arena.tournament.workers.block_player import BlockPlayer


class SeatMeans:
    """Mean placing and payoff by place: 0 is the first dealer's left neighbour, the last is the dealer."""

    def __init__(self, rules: Rules, players: int, seed: str) -> None:
        self._rules, self._players, self._seed = rules, players, seed
        self._placings, self._payoffs = ClusteredMeans(players), ClusteredMeans(players)

    def add(self, block: Block, result: BlockResult) -> None:
        """Counts a block of this game and size."""
        dealer = self._first_dealer(block)
        places = [(self._rules.step * (seat - dealer) - 1) % self._players for seat in range(self._players)]
        matches = result.matches
        index = [block.index] * self._players * len(matches)
        self._placings.add(index, places * len(matches), [match.placings for match in matches])
        self._payoffs.add(index, places * len(matches), [match.payoffs for match in matches])

    def means(self) -> list[tuple[MeanEstimate, MeanEstimate]]:
        """Placing and payoff by place."""
        return [(self._placings.mean(place), self._payoffs.mean(place)) for place in range(self._players)]

    def _first_dealer(self, block: Block) -> int:
        match = self._rules.match(self._players, deal_seed(self._seed, block.address))
        return (match.finished_deals[0] if match.finished_deals else match.deal).opening.dealer


def seat_means(
    played: Iterable[tuple[Block, BlockResult]], rules: dict[str, Rules], seed: str
) -> dict[tuple[str, int], SeatMeans]:
    """The means of each variant and size, in the order of the schedule."""
    found: dict[tuple[str, int], SeatMeans] = {}
    for block, result in played:
        game = (block.variant, block.players)
        if game not in found:
            found[game] = SeatMeans(rules[block.variant], block.players, seed)
        found[game].add(block, result)
    return found


def control(
    player: BlockPlayer, variant: str, players: int, bot: str, blocks: int
) -> Iterator[tuple[Block, BlockResult]]:
    """Blocks of one match each, in which the same bot has every seat; played when they are asked for."""
    seating = (bot,) * players
    for index in range(blocks):
        block = Block(index, variant, players, seating, index, (seating,))
        yield block, player.play(block)
