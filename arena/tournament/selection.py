"""Which of many matches are wanted: by who sat there, what was played, and what went wrong."""

from collections.abc import Iterable
from heapq import nsmallest
from typing import Final, NamedTuple

from arena.play.told import MatchTold
from arena.tournament.replays import Found

ANY: Final = "any"
WORST: Final = 20
"""How many of a bot's biggest losses are worth a look."""


class Wanted(NamedTuple):
    """What a match must have; what is left empty does not matter."""

    bots: tuple[str, ...] = ()
    """All of them at its table."""
    variant: str = ""
    """With its options as printed, or its name whatever they are."""
    block: str = ""
    fault: str = ""
    """Of this kind, or of `any`."""

    def has(self, one: Found) -> bool:
        """Whether a match is one of those wanted."""
        told = one.told
        faults = {fault.kind for fault in told.faults}
        return (
            set(self.bots).issubset(told.bots or ())
            and self.variant in ("", told.variant, one.variant)
            and self.block in ("", told.block)
            and (not self.fault or self.fault in faults or (self.fault == ANY and bool(faults)))
        )


def pick(
    found: Iterable[Found], number: int | None = None, block: str | None = None, rotation: int | None = None
) -> Found | None:
    """The first match that has what is given; None if there is none."""
    for one in found:
        has = (one.number, one.told.block, one.told.rotation)
        if all(want in (None, own) for want, own in zip((number, block, rotation), has, strict=True)):
            return one
    return None


def worst(found: Iterable[Found], bot: str) -> list[Found]:
    """The matches that cost a bot most, the biggest loss first, of equal ones those lost soonest."""
    losses = ((loss, one.number, one) for one in found if (loss := _loss(one.told, bot)))
    return [one for _, _, one in nsmallest(WORST, losses)]


def _loss(told: MatchTold, bot: str) -> tuple[int, int, int] | None:
    """The payoff of the bot's worst seat, its placing and its deals, less is worse; None without one."""
    seats = zip(told.bots or (), told.payoffs or (), told.placings or (), strict=False)
    own = [(payoff, -placing, len(told.deals)) for name, payoff, placing in seats if name == bot]
    return min(own, default=None)
