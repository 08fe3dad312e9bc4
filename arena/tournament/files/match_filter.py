"""Filter of matches by bots, variant, block and fault."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from typing import Final, NamedTuple

from arena.errors import ConfigError, suggest_nearest
from arena.play.records.record_schema import MatchRecord
from arena.tournament.files.record_reader import FoundRecord

ANY: Final = "any"
MAX_NAMED_BLOCKS: Final = 20
MANY_BLOCKS: Final = "`arena replay list` shows all blocks"
MAX_LOSSES: Final = 20
"""Biggest losses of a bot that are listed."""


class MatchFilter(NamedTuple):
    """Conditions on a match; an empty one is always met."""

    bots: tuple[str, ...] = ()
    """All of them at its table."""
    variant: str = ""
    """Variant with its options as printed, or by name with any options."""
    block: str = ""
    fault: str = ""
    """Kind of fault, or `any`."""

    def matches(self, match: FoundRecord) -> bool:
        """Return whether a match meets all conditions."""
        record = match.record
        faults = {fault.kind for fault in record.faults}
        return (
            set(self.bots).issubset(record.bots or ())
            and self.variant in ("", record.variant, match.variant)
            and self.block in ("", record.block)
            and (not self.fault or self.fault in faults or (self.fault == ANY and bool(faults)))
        )


def filter_matches(matches: Iterable[FoundRecord], wanted: MatchFilter, source: str) -> Iterator[FoundRecord]:
    """Yield the matches of a source that meet the conditions.

    Raises:
        ConfigError: At the end, if no match was found because no match of the source has a name asked for.
    """
    names = _KnownNames()
    for match in matches:
        if wanted.matches(match):
            names.matched = True
            yield match
        elif not names.matched:
            names.add(match.record, match.variant)
    names.refuse_unknown(wanted, source)


class _KnownNames:
    """Names in matches that did not meet the conditions."""

    def __init__(self) -> None:
        self.matched = False
        """True if any match met them, so that the names do not matter."""
        self._bots: set[str] = set()
        self._variants: set[str] = set()
        self._blocks: set[str] = set()

    def add(self, record: MatchRecord, variant: str) -> None:
        self._bots.update(record.bots or ())
        self._variants.update((record.variant, variant))
        self._blocks.add(record.block)

    def refuse_unknown(self, wanted: MatchFilter, source: str) -> None:
        if self.matched or not self._variants:
            return
        for bot in wanted.bots:
            if bot not in self._bots:
                raise ConfigError(f"no bot in {source} is called {bot!r}; {suggest_nearest(bot, self._bots)}")
        if wanted.variant and wanted.variant not in self._variants:
            near = suggest_nearest(wanted.variant, self._variants)
            raise ConfigError(f"no match in {source} is of the variant {wanted.variant!r}; {near}")
        if wanted.block and wanted.block not in self._blocks:
            near = (
                suggest_nearest(wanted.block, self._blocks)
                if len(self._blocks) <= MAX_NAMED_BLOCKS
                else MANY_BLOCKS
            )
            raise ConfigError(f"no match in {source} is of the block {wanted.block!r}; {near}")


def find_match(
    matches: Iterable[FoundRecord],
    number: int | None = None,
    block: str | None = None,
    rotation: int | None = None,
) -> FoundRecord | None:
    """Return the first match with the given number, block and rotation, or None."""
    for match in matches:
        has = (match.number, match.record.block, match.record.rotation)
        if all(want in (None, own) for want, own in zip((number, block, rotation), has, strict=True)):
            return match
    return None


def biggest_losses(matches: Iterable[FoundRecord], bot: str) -> list[FoundRecord]:
    """Return a bot's biggest losses, the biggest first.

    Matches are ordered by the bot's share of points, that is of the seats it was placed above, ties a half.
    With equal shares the games alternate, as tokens, chips and points do not compare: each has its lowest
    payoff first, and of equal ones the match of fewer deals.
    """
    by_game: defaultdict[str, list[tuple[Loss, int, FoundRecord]]] = defaultdict(list)
    for record in matches:
        if loss := _loss(record.record, bot):
            by_game[record.variant].append((loss, record.number, record))
    losses = [
        (loss.share, rank, number, match)
        for game in by_game.values()
        for rank, (loss, number, match) in enumerate(nsmallest(MAX_LOSSES, game))
    ]
    return [match for *_, match in nsmallest(MAX_LOSSES, losses)]


class Loss(NamedTuple):
    """The result of a seat; of two the smaller one is the bigger loss."""

    share: float
    """Share of the other seats it was placed above, 0 to 1, ties a half."""
    payoff: int
    negated_placing: int
    deals: int


def _loss(record: MatchRecord, bot: str) -> Loss | None:
    """Return the result of the bot's worst seat, or None if it has none."""
    placings = record.placings or ()
    seats = zip(record.bots or (), record.payoffs or (), placings, strict=False)
    own = [
        Loss(_share(placing, placings), payoff, -placing, len(record.deals))
        for name, payoff, placing in seats
        if name == bot
    ]
    return min(own, default=None)


def _share(placing: int, placings: Sequence[int]) -> float:
    """Return the share of the other seats that a seat with this placing left behind, ties a half."""
    points = sum(placing < other for other in placings) + (placings.count(placing) - 1) / 2
    return points / max(len(placings) - 1, 1)
