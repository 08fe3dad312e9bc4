"""The examination: every game twice, and decisions asked again with the unseen cards dealt differently."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from random import Random
from traceback import format_exception
from types import TracebackType
from typing import Any, NamedTuple

from arena.games import Rules
from arena.play.bot import BotFactory, Info, Limits
from arena.play.conformance.call_log import Call, ask_again, watch
from arena.play.conformance.environments import Environment
from arena.play.conformance.findings import Findings, GameFindings, Issue
from arena.play.faults import BotFailure
from arena.play.players import LocalPlayer

SEATS = 4
"""At a table, unless the game is for less or more."""
PATIENCE = 3
"""Games at which a bot may take too long before it is not asked any more."""
AGAIN = 3
"""Decisions of a match that are asked again."""
"""Where the frames of a traceback come from that are between the arena and the bot."""
TRACEBACK = 4000
"""Characters of a traceback."""


def check_bot(
    games: Iterable[Rules],
    room: Environment,
    opponent: BotFactory,
    *,
    matches: int = SEATS,
    settings: dict[str, Any] | None = None,
    limits: Limits | None = None,
    heard: Callable[[GameFindings], None] = lambda found: None,
) -> Findings:
    """Plays a bot through games, `matches` each in changing seats against copies of an opponent.

    They are at the usual table of four, at the smallest and at the largest, in turn. `heard` is told of each
    game as soon as it is through.
    """
    games = list(games)
    found: list[GameFindings] = []
    for rules in games:
        game = _Game(rules, room, opponent, settings or {}, limits or Limits())
        for number in range(matches):
            if not number or not (room.is_gone or game.is_late):
                game.check_match(number)
        found.append(game.findings())
        heard(found[-1])
        if room.is_gone or _late(found) >= PATIENCE:
            break
    return Findings(
        level=room.level,
        start_seconds=room.start_seconds,
        memory_mb=room.memory_mb,
        games=tuple(found),
        left_out=len(games) - len(found),
        printed=room.printed,
    )


def _late(games: Iterable[GameFindings]) -> int:
    """How many games the bot took too long at."""
    return sum(any(flaw.kind == "timeout" for flaw in game.flaws) for game in games)


class _Table(NamedTuple):
    """A match of the examination, and where the bot sits at it."""

    number: int
    players: int
    seat: int


class _Game:
    """The examination at one game."""

    def __init__(
        self, rules: Rules, room: Environment, opponent: BotFactory, settings: dict[str, Any], limits: Limits
    ) -> None:
        self.rules, self.room, self.opponent = rules, room, opponent
        self.settings, self.limits = settings, limits
        usual = min(max(SEATS, rules.players[0]), rules.players[-1])
        self.sizes = list(dict.fromkeys((usual, rules.players[0], rules.players[-1])))
        self.flaws: list[Issue] = []
        self.seconds: list[float] = []
        self.matches = self.repeated = self.asked_again = 0

    @property
    def is_late(self) -> bool:
        """Whether the bot took too long."""
        return any(flaw.kind == "timeout" for flaw in self.flaws)

    def findings(self) -> GameFindings:
        """What has been found."""
        return GameFindings(
            variant=str(self.rules),
            players=tuple(sorted(self.sizes[: self.matches])),
            matches=self.matches,
            decisions=len(self.seconds),
            repeated=self.repeated,
            asked_again=self.asked_again,
            seconds=tuple(self.seconds),
            flaws=tuple(self.flaws),
        )

    def check_match(self, number: int) -> None:
        """Plays one match; if nothing was wrong plays it again, and if that went the same asks again."""
        players = self.sizes[number % len(self.sizes)]
        table, known = _Table(number, players, number % players), len(self.flaws)
        calls = self._play(table, note=True)
        self.matches += 1
        self.seconds += [call.seconds for call in _decisions(calls)]
        if len(self.flaws) == known:
            self._compare(table, calls, self._play(table, note=False))
            self.repeated += 1
        if len(self.flaws) == known:
            self._deal_differently(table, calls)

    def _play(self, table: _Table, note: bool) -> list[Call]:
        match = self.rules.match(table.players, f"a check of {self.rules}, match {table.number}")
        places = [place for place in range(table.players) if place != table.seat]
        others = [LocalPlayer(self.opponent, self._info(table, place)) for place in places]

        def noted(kind: str, deal: int, answer: object) -> None:
            if note:
                self._note(kind, table, deal, _traceback(answer))

        return watch(match, self.room, self._info(table, table.seat), others, noted)

    def _compare(self, table: _Table, first: Sequence[Call], second: Sequence[Call]) -> None:
        """Notes where two plays of one match part."""
        pairs = zip_longest(_decisions(first), _decisions(second))
        for number, (one, other) in enumerate(pairs, 1):
            if one is None or other is None or one.answer != other.answer:
                deal = (one or other).said.deal
                answers = " then ".join(call.answer if call else "nothing" for call in (one, other))
                words = f"decision {number} of the same match, played twice, with the same rng: {answers}"
                self._note("not-repeated", table, deal, words)
                return

    def _deal_differently(self, table: _Table, calls: Sequence[Call]) -> None:
        """Asks some decisions again in worlds that the bot cannot tell from the real one."""
        rng = Random(f"{self.rules}/{table.number}")
        asked = [place for place, call in enumerate(calls) if call.what == "act"]
        for place in sorted(rng.sample(asked, min(AGAIN, len(asked)))):
            call = calls[place]
            world = call.said.sample(rng)
            answer = ask_again(self.room, self._info(table, table.seat), calls[:place], world)
            self.asked_again += 1
            if answer != call.answer:
                words = f"{call.answer} as the cards lay, {answer} with the unseen ones dealt differently"
                self._note("peeking", table, call.said.deal, words)
                return

    def _info(self, table: _Table, seat: int) -> Info:
        return Info.of(
            self.rules,
            seat=seat,
            players=table.players,
            key=f"a check of {self.rules}, match {table.number}, seat {seat}",
            limits=self.limits,
            settings=self.settings,
        )

    def _note(self, kind: str, table: _Table, deal: int, words: str) -> None:
        self.flaws.append(Issue(kind, str(self.rules), table.players, table.seat, deal, words))


def _decisions(calls: Sequence[Call]) -> list[Call]:
    return [call for call in calls if call.what == "act"]


def _traceback(answer: object) -> str:
    """What was raised, from the bot's own code on; another wrong answer as it is."""
    if isinstance(answer, BotFailure):
        return answer.detail
    if not isinstance(answer, BaseException):
        return repr(answer)[:200]
    ours = answer.__traceback__
    while ours is not None and _is_of("arena.play", ours):
        ours = ours.tb_next
    if ours is not None and _is_of("arena", ours):
        return str(answer)  # the arena says it, of an answer
    lines = "".join(format_exception(type(answer), answer, ours))
    return lines if len(lines) <= TRACEBACK else f"{lines[: TRACEBACK // 2]} … {lines[-TRACEBACK // 2 :]}"


def _is_of(package: str, traceback: TracebackType) -> bool:
    """Whether the code that stands there is of a package; of what is compiled no file is known."""
    return f"{traceback.tb_frame.f_globals.get('__name__')}.".startswith(f"{package}.")
