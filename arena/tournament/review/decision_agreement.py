"""Count how often two bots decided alike where they saw the same.

In a block the same cards are played several times, with other bots in the seats. As long as all actions
were the same, the bots in one seat saw the same view, so their decisions can be compared without asking them
again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from arena.errors import StoreError
from arena.games import Match, Rules
from arena.play.records.action_codec import decode_actions
from arena.tournament.scheduling.schedule import Block
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.block_result_encoding import BlockResult
from arena.tournament.storage.tally import Game

AGREEMENT_BLOCKS: Final = 5_000
"""The first blocks of a game, which are compared."""


class Agreement(NamedTuple):
    """Decisions of two bots on the same views, where there was a choice."""

    game: Game
    bot: str
    other: str
    """Later in the alphabet."""
    blocks: int
    decisions: int
    alike: int

    @property
    def share(self) -> float:
        """Share of decisions that were the same, 0 to 1."""
        return self.alike / self.decisions


def count_agreements(
    played: Iterable[tuple[Block, BlockResult]], rules: Mapping[str, Rules], seed: str
) -> list[Agreement]:
    """Return the agreement of each two bots of a game that ever saw the same; the most alike first.

    Args:
        played: Blocks with their actions, in schedule order.
        rules: Rules by variant as printed.
        seed: The run's seed.

    Raises:
        StoreError: If a block's actions do not fit its deals.
    """
    counts: defaultdict[tuple[Game, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    blocks: defaultdict[Game, int] = defaultdict(int)
    for block, result in played:
        game = (block.variant, block.players)
        blocks[game] += 1
        if blocks[game] > AGREEMENT_BLOCKS:
            continue
        match = rules[block.variant].match(block.players, deal_seed(block.seed or seed, block.address))
        seen: set[tuple[str, str]] = set()
        try:
            for bot, other, alike in compare_rotations(match, block.seatings, result):
                count = counts[game, bot, other]
                count[0] += (bot, other) not in seen
                count[1] += 1
                count[2] += alike
                seen.add((bot, other))
        except (IndexError, RuntimeError) as error:
            raise StoreError(
                f"block {block.index} ({block.address}) does not fit its deal; "
                "`arena verify` shows all damage"
            ) from error
    agreements = [Agreement(*pair, *count) for pair, count in counts.items()]
    return sorted(
        agreements,
        key=lambda agreement: (-agreement.share, -agreement.decisions, agreement.bot, agreement.other),
    )


def compare_rotations(
    match: Match, seatings: Sequence[Sequence[str]], result: BlockResult
) -> Iterator[tuple[str, str, bool]]:
    """Yield two bots that saw the same and had a choice, and whether they chose alike.

    Args:
        match: The block's match, in which nothing has been played.
        seatings: The bot of each seat, by rotation.
        result: The played block, with actions.
    """
    chosen = [list(decode_actions(match.actions)) for match in result.matches]
    groups = [(match, 0, list(range(len(chosen))))]
    while groups:
        match, at, rotations = groups.pop()
        seat = match.seat_to_act
        if seat is None or len(rotations) < 2:
            continue
        legal = match.deal.legal_actions.actions
        if len(legal) > 1:
            for first, second in combinations(rotations, 2):
                bot, other = sorted((seatings[first][seat], seatings[second][seat]))
                if bot != other:
                    yield bot, other, chosen[first][at] == chosen[second][at]
        same: defaultdict[int, list[int]] = defaultdict(list)
        for rotation in rotations:
            same[chosen[rotation][at]].append(rotation)
        for index, group in sorted(same.items()):
            if len(group) > 1:
                after = match.copy() if len(same) > 1 else match
                after.apply(legal[index])
                groups.append((after, at + 1, group))
