"""The interface of a bot: a class with `act(view)`, and the information it gets when a match begins."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Self

import msgspec

from arena.errors import IllegalAction, InvalidNotation
from arena.games import Rules, View, variant
from arena.games.action import Action
from arena.play.heuristics import Heuristic, make_heuristic

if TYPE_CHECKING:
    from arena.play.faults import FaultKind

MAX_NOTE_CHARS: Final = 200
MAX_COUNT: Final = 10**9
"""Largest number accepted for any setting or limit."""
FUEL: Final = 100_000_000
"""Default fuel of a decision: 6 to 10 ms of arithmetic where docs/performance.md was measured."""
MODULE_MATCHES: Final = 64
"""Matches that a WebAssembly module plays at a time, among which its memory is divided."""
PositiveInt = Annotated[int, msgspec.Meta(ge=1, le=MAX_COUNT)]
NonNegativeInt = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of a bot. Times and memory are enforced where it has a process of its own.

    Attributes:
        decision_ms: Time for one decision.
        bank_ms: Time that a match may use beyond `decision_ms`, in all.
        start_ms: Time to start.
        memory_mb: Memory; of a WebAssembly module, that of all its instances.
        faults: Faults in a match after which the default action is played for the bot.
        fuel: Fuel that a WebAssembly module may use for a decision, instead of time.
        match_fuel: Fuel that it may use for a match, in all.
    """

    decision_ms: PositiveInt = 100
    bank_ms: NonNegativeInt = 2000
    start_ms: PositiveInt = 5000
    memory_mb: PositiveInt = 256
    faults: PositiveInt = 3
    fuel: PositiveInt = FUEL
    match_fuel: PositiveInt = 10 * FUEL

    def conditions(self) -> dict[str, int]:
        """Return the limits by name, as hashes have them: those of before there was fuel are the same."""
        values = msgspec.structs.asdict(self)
        for name in ("fuel", "match_fuel"):
            if values[name] == getattr(DEFAULT_LIMITS, name):
                del values[name]
        return values


DEFAULT_LIMITS: Final = Limits()


class Info(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Information a bot gets when its match begins.

    Attributes:
        variant: Name of the variant.
        options: Options that differ from the variant's own, by name.
        seat: The bot's seat, from 0.
        players: Number of seats.
        key: Seed of the bot's randomness; no other seat or match has the same.
        limits: The bot's limits.
        settings: The bot's settings from the config.
        folder: The bot's own folder in the run, which all its instances share and which is still there when
            the run is resumed; None where there is none: outside of a run, and where the bot is confined.
        deadline: In `act`, the `time.monotonic()` at which the decision has used up `limits.decision_ms`;
            what it takes beyond is charged to the bank. None where no clock runs: in the arena's process.
    """

    deadline: ClassVar[float | None] = None

    variant: str
    options: dict[str, Any]
    seat: int
    players: int
    key: str
    limits: Limits = DEFAULT_LIMITS
    settings: dict[str, Any] = {}
    folder: Path | None = None

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
        folder: str = "",
    ) -> Self:
        """Return the information for one seat of a match of a variant."""
        return cls(
            variant=rules.name,
            options=dict(rules.overrides),
            seat=seat,
            players=players,
            key=key,
            limits=limits or DEFAULT_LIMITS,
            settings=settings or {},
            folder=Path(folder) if folder else None,
        )

    @cached_property
    def rng(self) -> Random:
        """The bot's own randomness: matches of bots that use no other can be reproduced exactly."""
        return Random(self.key)

    @cached_property
    def rules(self) -> Rules:
        """The rules of the variant: `rules.rank(cards)` returns the value of a hand."""
        return variant(self.variant, **self.options)

    def heuristic(self) -> Heuristic:
        """Return a good simple bot of this game's family, fast enough to search with.

        >>> info = Info(variant="lives", options={}, seat=0, players=3, key="k")
        >>> match = info.rules.match(players=3, seed="match")
        >>> match.text(info.heuristic().act(match.view(1)))
        '3C>9D'

        Returns:
            A bot that remembers nothing between decisions: its `act` is a policy for any seat.
        """
        return make_heuristic(self.rules)


class Bot:
    """Base class of bots: derive from it and implement `act`. One fresh instance plays one seat of one match.

    Attributes:
        variants: Names of the variants and families it plays; empty for all.
        info: The information about its match.
        rng: `info.rng`.

    Example:
        >>> from arena import Bot, play_match, variant
        >>> class First(Bot):
        ...     def act(self, view):
        ...         return view.legal[0]
        >>> play_match(variant("lives"), [First, First], seed="any text")["players"]
        2
    """

    variants: tuple[str, ...] = ()
    _arena_notes: list[str] | None = None

    def __init__(self, info: Info) -> None:
        self.info = info
        self.rng = info.rng

    def act(self, view: View) -> Action | str:
        """Return one of `view.legal`, or its text."""
        raise TypeError(f"{type(self).__name__} has no act(self, view)")

    def note(self, text: str) -> None:
        """Attach a short text to the decision that is being made, to be read in its replay.

        Notes change nothing: no result, hash or other bot. Of a decision the last one is kept, of a match the
        first 100; what is longer than 200 characters is cut off.

        Args:
            text: The note, such as `"two pairs to come: 31 %"`.
        """
        if self._arena_notes is not None:
            self._arena_notes[:] = [replace_surrogates(str(text)[:MAX_NOTE_CHARS])]

    def observe(self, event: str) -> None:
        """Receive a public event, or one that only this seat may know."""

    def deal_over(self, result: dict[str, Any]) -> None:
        """Receive the result of a deal: changes by seat, and the final `hands`, `??` for cards not shown."""


def collect_notes(bot: object, notes: list[str]) -> None:
    """Let `notes` take the note of each decision of a bot; only bots that derive from `Bot` write any."""
    if isinstance(bot, Bot):
        object.__setattr__(bot, "_arena_notes", notes)  # whatever its class does with attributes


def replace_surrogates(text: str) -> str:
    """Return a text with `?` for halves of surrogate pairs, which cannot be encoded."""
    return text.encode(errors="replace").decode()


BotFactory = Callable[[Info], Any]


def make_factory(bot: Any) -> BotFactory:
    """Return a function that makes a bot for a seat.

    Args:
        bot: A class, which makes a new instance for each seat, with or without an argument for the `Info`;
            or an instance, which plays all seats it is given.
    """
    if not inspect.isclass(bot):
        return lambda info: bot
    make: Any = bot
    if make.__init__ is object.__init__ or not inspect.signature(make).parameters:
        return lambda info: make()
    factory: BotFactory = make
    return factory


def describe_answer(answer: object) -> str:
    """Return a short text for an answer that is not an action, and what is expected instead."""
    if inspect.iscoroutine(answer):
        answer.close()  # else Python warns that nobody awaited it
        return "a coroutine: write `def act`, without async"
    if inspect.isgenerator(answer):
        return "a generator: write return, not yield"
    what = "None: is a return missing?" if answer is None else reprlib.repr(answer)
    return f"{what} (an answer is one of view.legal, or its text)"


def classify_fault(answer: object) -> FaultKind:
    """Return the kind of fault of a wrong answer, or of the exception that the bot raised instead."""
    if isinstance(answer, BaseException):
        return "crash"
    return "illegal" if isinstance(answer, Action) else "invalid"


def classify_parse_error(error: BaseException) -> FaultKind:
    """Return the kind of fault of an answer whose text is not that of a legal action."""
    if isinstance(error, IllegalAction):
        return "illegal"
    return "invalid" if isinstance(error, InvalidNotation) else "crash"
