"""What a bot is: a class with `act(view)`, and what it is told beside."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import Annotated, Any, Final, Self

import msgspec

from arena.errors import IllegalAction, InvalidNotation
from arena.games import Rules, View, variant
from arena.games.action import Action

MAX_COUNT: Final = 10**9
"""The largest number of anything: more could be counted, but not waited for."""
PositiveInt = Annotated[int, msgspec.Meta(ge=1, le=MAX_COUNT)]
NonNegativeInt = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot may use. The times hold where bots have a process of their own."""

    decision_ms: PositiveInt = 100
    bank_ms: NonNegativeInt = 2000
    """What a match may borrow beyond `decision_ms` in all."""
    start_ms: PositiveInt = 5000
    memory_mb: PositiveInt = 256
    faults: PositiveInt = 3
    """In a match; then the quiet action is played to its end."""


DEFAULT_LIMITS: Final = Limits()


class Info(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What a bot is told when its match begins."""

    variant: str
    options: dict[str, Any]
    """The options of the variant that are not its own, by name."""
    seat: int
    players: int
    key: str
    """What the bot's own randomness comes from: no other seat or match has the same."""
    limits: Limits = DEFAULT_LIMITS
    settings: dict[str, Any] = {}
    """The bot's settings from the config."""

    @classmethod
    def of(
        cls,
        rules: Rules,
        *,
        seat: int,
        players: int,
        key: str,
        limits: Limits | None = None,
        settings: dict[str, Any] | None = None,
    ) -> Self:
        """What the bot at a seat of a game is told."""
        return cls(
            variant=rules.name,
            options=dict(rules.overrides),
            seat=seat,
            players=players,
            key=key,
            limits=limits or DEFAULT_LIMITS,
            settings=settings or {},
        )

    @cached_property
    def rng(self) -> Random:
        """The bot's own randomness: if it uses no other, its matches can be played again to the letter."""
        return Random(self.key)

    @cached_property
    def rules(self) -> Rules:
        """The variant itself: `rules.rank(cards)` says what a hand is worth."""
        return variant(self.variant, **self.options)


class Bot:
    """A bot that does nothing yet: derive from it and write `act`.

    One fresh instance plays one seat of one match.
    """

    variants: tuple[str, ...] = ()
    """The games it plays, by their names or families; none means all."""

    def __init__(self, info: Info) -> None:
        self.info = info
        self.rng = info.rng

    def act(self, view: View) -> Action | str:
        """One of `view.legal`, or its text."""
        raise TypeError(f"{type(self).__name__} has no act(self, view)")

    def observe(self, event: str) -> None:
        """Hears of each public event, and of those only this seat may know."""

    def deal_over(self, result: dict[str, Any]) -> None:
        """Hears how a deal ended: what it changed by seat, and the `hands` as they lay at its end."""


BotFactory = Callable[[Info], Any]


def make_factory(bot: Any) -> BotFactory:
    """What makes a fresh bot for a seat: of a class, with or without `__init__`; an instance stays."""
    make: Any = bot
    if not inspect.isclass(bot):
        return lambda info: bot
    if make.__init__ is object.__init__ or not inspect.signature(make).parameters:
        return lambda info: make()
    found: BotFactory = make
    return found


def classify_fault(answer: object) -> str:
    """The fault that a wrong answer is, or the exception there was in its place."""
    if isinstance(answer, IllegalAction | Action):
        return "illegal"
    if isinstance(answer, BaseException) and not isinstance(answer, InvalidNotation):
        return "crash"
    return "invalid"
