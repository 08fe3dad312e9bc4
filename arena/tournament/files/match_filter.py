"""Which of many matches are wanted: by who sat there, what was played, and what went wrong."""

from collections.abc import Iterable, Iterator
from heapq import nsmallest
from typing import Final, NamedTuple

from arena.errors import ConfigError, suggest_nearest
from arena.play.records.record_schema import MatchRecord
from arena.tournament.files.record_files import FoundRecord

ANY: Final = "any"
MOST_NAMED: Final = 20
MANY_BLOCKS: Final = "`arena replay list` shows those there are"
MAX_LOSSES: Final = 20
"""How many of a bot's biggest losses are worth a look."""


class MatchFilter(NamedTuple):
    """What a match must have; what is left empty does not matter."""

    bots: tuple[str, ...] = ()
    """All of them at its table."""
    variant: str = ""
    """With its options as printed, or its name whatever they are."""
    block: str = ""
    fault: str = ""
    """Of this kind, or of `any`."""

    def has(self, one: FoundRecord) -> bool:
        """Whether a match is one of those wanted."""
        told = one.told
        faults = {fault.kind for fault in told.faults}
        return (
            set(self.bots).issubset(told.bots or ())
            and self.variant in ("", told.variant, one.variant)
            and self.block in ("", told.block)
            and (not self.fault or self.fault in faults or (self.fault == ANY and bool(faults)))
        )


def filter_matches(found: Iterable[FoundRecord], wanted: MatchFilter, source: str) -> Iterator[FoundRecord]:
    """The matches that are wanted, of those of a source.

    Raises: ConfigError, at the end, where there is none because of a name that no match of the source has.
    """
    names = _Names()
    for one in found:
        if wanted.has(one):
            names.matched = True
            yield one
        elif not names.matched:
            names.add(one.told, one.variant)
    names.refuse_unknown(wanted, source)


class _Names:
    """The names that occur in matches which were not wanted."""

    def __init__(self) -> None:
        self.matched = False
        """Whether one was, so that the names do not matter."""
        self._bots: set[str] = set()
        self._variants: set[str] = set()
        self._blocks: set[str] = set()

    def add(self, told: MatchRecord, variant: str) -> None:
        self._bots.update(told.bots or ())
        self._variants.update((told.variant, variant))
        self._blocks.add(told.block)

    def refuse_unknown(self, wanted: MatchFilter, source: str) -> None:
        if self.matched or not self._variants:
            return
        for bot in wanted.bots:
            if bot not in self._bots:
                raise ConfigError(f"no bot in {source} is called {bot!r}; {suggest_nearest(bot, self._bots)}")
        if wanted.variant and wanted.variant not in self._variants:
            near = suggest_nearest(wanted.variant, self._variants)
            raise ConfigError(f"no match in {source} is of {wanted.variant!r}; {near}")
        if wanted.block and wanted.block not in self._blocks:
            near = (
                suggest_nearest(wanted.block, self._blocks)
                if len(self._blocks) <= MOST_NAMED
                else MANY_BLOCKS
            )
            raise ConfigError(f"no match in {source} is of the block {wanted.block!r}; {near}")


def find_match(
    found: Iterable[FoundRecord],
    number: int | None = None,
    block: str | None = None,
    rotation: int | None = None,
) -> FoundRecord | None:
    """The first match that has what is given; None if there is none."""
    for one in found:
        has = (one.number, one.told.block, one.told.rotation)
        if all(want in (None, own) for want, own in zip((number, block, rotation), has, strict=True)):
            return one
    return None


def biggest_losses(found: Iterable[FoundRecord], bot: str) -> list[FoundRecord]:
    """The matches that cost a bot most, the biggest loss first, of equal ones those lost soonest."""
    losses = ((loss, one.number, one) for one in found if (loss := _loss(one.told, bot)))
    return [one for _, _, one in nsmallest(MAX_LOSSES, losses)]


def _loss(told: MatchRecord, bot: str) -> tuple[int, int, int] | None:
    """The payoff of the bot's worst seat, its placing and its deals, less is worse; None without one."""
    seats = zip(told.bots or (), told.payoffs or (), told.placings or (), strict=False)
    own = [(payoff, -placing, len(told.deals)) for name, payoff, placing in seats if name == bot]
    return min(own, default=None)
