"""The check of a bot: the plan of its matches, the checks, and what they find."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import zip_longest
from random import Random
from threading import Event
from traceback import format_exception
from types import TracebackType
from typing import Any, NamedTuple

import msgspec

from arena.errors import ArenaError, SamplingError
from arena.games import Match, Rules
from arena.play.bot import BotFactory, Info, Limits
from arena.play.conformance.bot_hosts import BotHost, Call, ask_again, log_match, open_level
from arena.play.faults import BotFailure
from arena.play.isolation import Level
from arena.play.players import LocalPlayer
from arena.plugins import BotSpec

# --- findings ---


class Issue(msgspec.Struct, frozen=True):
    """Something wrong with a bot, and where it was seen first."""

    kind: str
    """A kind of fault, `not-repeated`, `keeps-state` or `peeking`."""
    variant: str
    players: int
    seat: int
    deal: int
    detail: str = msgspec.field(name="words")
    """The answer, or the bot's own traceback."""
    match: int = 0
    """The number of the match in the check of its game, from 0."""
    decision: int = 0
    """The number of the decision in the match that failed, from 1; 0 for what failed elsewhere."""
    is_sampled: bool = False
    """True if it was seen only with other hidden cards."""


class OneGameFindings(msgspec.Struct, frozen=True):
    """The findings of one game."""

    variant: str
    players: tuple[int, ...]
    """Sizes of its tables."""
    matches: int
    decisions: int
    repeated: int
    """Matches that were played twice."""
    asked_again: int
    """Decisions that were asked again with other hidden cards."""
    seconds: tuple[float, ...]
    """Time of each decision."""
    issues: tuple[Issue, ...]


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of all games."""

    level: str
    """The level of isolation."""
    start_seconds: float
    memory_mb: float | None
    """Peak memory; None where it cannot be told from the arena's own."""
    games: tuple[OneGameFindings, ...]
    left_out: int
    """Games that were not played, because the bot took too long at others."""
    printed: str
    """Output of the bot, as far as it was kept."""

    @property
    def issues(self) -> tuple[Issue, ...]:
        """All issues, game by game."""
        return tuple(issue for game in self.games for issue in game.issues)

    @property
    def decisions(self) -> int:
        """Number of decisions in matches."""
        return sum(game.decisions for game in self.games)

    @property
    def repeated(self) -> int:
        """Number of matches that were played twice."""
        return sum(game.repeated for game in self.games)

    @property
    def asked_again(self) -> int:
        """Number of decisions that were asked again with other hidden cards."""
        return sum(game.asked_again for game in self.games)

    @property
    def first_seconds(self) -> float | None:
        """Time of the first decision, which may be longer than others; None without decisions."""
        return next((seconds for game in self.games for seconds in game.seconds), None)

    def quantile(self, share: float) -> float | None:
        """Return the time that a share of the decisions after the first did not exceed; None without any."""
        return quantile([seconds for game in self.games for seconds in game.seconds][1:], share)


def quantile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that a share of all values does not exceed; None without values."""
    if not values:
        return None
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


# --- match plan ---
# Anybody can set up the same match again.


class MatchPlan(NamedTuple):
    """A match of a check, and the seat of the bot that is checked."""

    rules: Rules
    number: int
    players: int
    seat: int
    settings: dict[str, Any]
    """Settings of the bot."""
    limits: Limits

    def match(self) -> Match:
        """Return the match, before its first decision."""
        return self.rules.match(self.players, self._key)

    def info(self, seat: int) -> Info:
        """Return the information for a seat."""
        return Info.of(
            self.rules,
            seat=seat,
            players=self.players,
            key=f"{self._key}, seat {seat}",
            limits=self.limits,
            settings=self.settings,
        )

    def others(self, opponent: BotFactory) -> list[LocalPlayer]:
        """Return the players of the other seats, in order."""
        seats = [seat for seat in range(self.players) if seat != self.seat]
        return [LocalPlayer(opponent, self.info(seat)) for seat in seats]

    @property
    def _key(self) -> str:
        return f"a check of {self.rules}, match {self.number}"


# --- matches ---
# Each match is played twice, and decisions are asked for again with other hidden cards.

USUAL_PLAYERS = 4
MAX_SLOW_GAMES = 3
"""Games with a timeout after which the check stops."""
ASKED_AGAIN_PER_MATCH = 3
MAX_TRACEBACK_CHARS = 4000


def check_bot(
    games: Iterable[Rules],
    host: BotHost,
    opponent: BotFactory,
    *,
    matches: int = 4,
    settings: dict[str, Any] | None = None,
    limits: Limits | None = None,
    on_game: Callable[[OneGameFindings], None] = lambda findings: None,
    max_seconds: float = math.inf,
    max_slow_games: int = MAX_SLOW_GAMES,
) -> Findings:
    """Play a bot through games against copies of an opponent, and return what is wrong with it.

    Args:
        games: The variants, with their options.
        host: Where the bot plays.
        opponent: Makes the bots in the other seats, in this process.
        matches: Matches of each game, at the usual table of four, the smallest and the largest in turn.
        settings: The bot's settings.
        limits: The bot's limits.
        on_game: Called with the findings of each game as soon as it is finished.
        max_seconds: Seconds after which no more matches are begun.
        max_slow_games: Games with a timeout after which no more are begun.
    """
    games, end = list(games), time.monotonic() + max_seconds
    games_findings: list[OneGameFindings] = []
    for rules in games:
        check = _GameCheck(rules, host, opponent, settings or {}, limits or Limits())
        for number in range(matches):
            if not number or not (host.has_failed or _is_slow(check.issues) or time.monotonic() >= end):
                check.check_match(number)
        games_findings.append(check.findings())
        on_game(games_findings[-1])
        slow_games = sum(_is_slow(game.issues) for game in games_findings)
        if host.has_failed or slow_games >= max_slow_games or time.monotonic() >= end:
            break
    return Findings(
        level=host.level,
        start_seconds=host.start_seconds,
        memory_mb=host.memory_mb,
        games=tuple(games_findings),
        left_out=len(games) - len(games_findings),
        printed=host.printed,
    )


class _GameCheck:
    """The check of one game."""

    def __init__(
        self,
        rules: Rules,
        host: BotHost,
        opponent: BotFactory,
        settings: dict[str, Any],
        limits: Limits,
    ) -> None:
        self.rules, self.host, self.opponent = rules, host, opponent
        self.settings, self.limits = settings, limits
        smallest, largest = rules.players[0], rules.players[-1]
        usual = min(max(USUAL_PLAYERS, smallest), largest)
        self.sizes = list(dict.fromkeys((usual, smallest, largest)))
        self.issues: list[Issue] = []
        self.seconds: list[float] = []
        self.matches = self.repeated = self.asked_again = 0

    def findings(self) -> OneGameFindings:
        """Return the findings so far."""
        return OneGameFindings(
            variant=str(self.rules),
            players=tuple(sorted(self.sizes[: self.matches])),
            matches=self.matches,
            decisions=len(self.seconds),
            repeated=self.repeated,
            asked_again=self.asked_again,
            seconds=tuple(self.seconds),
            issues=tuple(self.issues),
        )

    def check_match(self, number: int) -> None:
        """Play a match; if nothing was wrong play it again, and if that went the same ask decisions again."""
        players = self.sizes[number % len(self.sizes)]
        plan = MatchPlan(self.rules, number, players, number % players, self.settings, self.limits)
        issues_before = len(self.issues)
        calls = self._play(plan)
        self.matches += 1
        self.seconds += [call.seconds for call in _decisions(calls)]
        if len(self.issues) == issues_before:
            again = self._play(plan)
            if len(self.issues) == issues_before:  # else it failed, and did not choose to play differently
                self._compare(plan, calls, again)
            self.repeated += 1
        if len(self.issues) == issues_before:
            self._ask_with_other_cards(plan, calls)

    def _play(self, plan: MatchPlan) -> list[Call]:
        calls: list[Call] = []
        on_failure = partial(self._add_failure, plan, calls)
        others = plan.others(self.opponent)
        log_match(plan.match(), self.host, plan.info(plan.seat), others, on_failure, calls)
        return calls

    def _add_sampled_failure(self, plan: MatchPlan, kind: str, deal: int, answer: object) -> None:
        self._add_issue(kind, plan, deal, format_failure(answer), is_sampled=True)

    def _add_failure(
        self, plan: MatchPlan, calls: Sequence[Call], kind: str, deal: int, answer: object
    ) -> None:
        decisions = _decisions(calls)
        failed = kind != "no-start" and bool(decisions) and (kind != "crash" or decisions[-1].has_raised)
        self._add_issue(kind, plan, deal, format_failure(answer), len(decisions) if failed else 0)

    def _compare(self, plan: MatchPlan, first: Sequence[Call], second: Sequence[Call]) -> None:
        """Report the first decision in which two plays of one match differ."""
        pairs = zip_longest(_decisions(first), _decisions(second))
        for number, (former, other) in enumerate(pairs, 1):
            if former is None or other is None or former.answer != other.answer:
                deal = (former or other).argument.deal
                answers = " then ".join(call.answer if call else "nothing" for call in (former, other))
                detail = f"decision {number} of the same match, played twice, with the same rng: {answers}"
                self._add_issue(
                    "keeps-state" if self._keeps_state(plan) else "not-repeated", plan, deal, detail
                )
                return

    def _keeps_state(self, plan: MatchPlan) -> bool:
        """Return whether a match goes the same each time as the first one after a start."""
        answers = []
        for _ in range(2):
            if not self.host.restart():
                return False
            answers.append([call.answer for call in _decisions(self._play(plan))])
        return answers[0] == answers[1]

    def _ask_with_other_cards(self, plan: MatchPlan, calls: Sequence[Call]) -> None:
        """Ask some decisions again with hidden cards that the bot cannot tell from the real ones."""
        rng = Random(f"{self.rules}/{plan.number}")
        decisions = [place for place, call in enumerate(calls) if call.method == "act"]
        for place in sorted(rng.sample(decisions, min(ASKED_AGAIN_PER_MATCH, len(decisions)))):
            call = calls[place]
            try:
                sampled = call.argument.sample(rng)
            except SamplingError:  # of a game that samples by trying deals, which found none
                continue
            info, issues_before = plan.info(plan.seat), len(self.issues)
            on_failure = partial(self._add_sampled_failure, plan)
            answer = ask_again(self.host, info, calls[:place], sampled, on_failure)
            self.asked_again += 1
            if len(self.issues) > issues_before:
                return
            if answer != call.answer:
                detail = f"{call.answer} with the cards as dealt, {answer} with other hidden cards"
                self._add_issue("peeking", plan, call.argument.deal, detail)
                return

    def _add_issue(
        self,
        kind: str,
        plan: MatchPlan,
        deal: int,
        detail: str,
        decision: int = 0,
        is_sampled: bool = False,
    ) -> None:
        place = str(self.rules), plan.players, plan.seat, deal
        self.issues.append(Issue(kind, *place, detail, plan.number, decision, is_sampled))


def _is_slow(issues: Iterable[Issue]) -> bool:
    return any(issue.kind == "timeout" for issue in issues)


def _decisions(calls: Sequence[Call]) -> list[Call]:
    return [call for call in calls if call.method == "act"]


def format_failure(answer: object) -> str:
    """Return the traceback of an exception from the bot's own code on; another wrong answer as it is."""
    if isinstance(answer, BotFailure):
        return answer.detail
    if not isinstance(answer, BaseException):
        return repr(answer)[:200]
    frame = answer.__traceback__
    while frame is not None and _is_in_package(frame, "arena.play"):
        frame = frame.tb_next
    if frame is not None and _is_in_package(frame, "arena"):
        return str(answer)  # raised by the arena about an answer
    text = "".join(format_exception(type(answer), answer, frame))
    half = MAX_TRACEBACK_CHARS // 2
    return text if len(text) <= MAX_TRACEBACK_CHARS else f"{text[:half]} … {text[-half:]}"


def _is_in_package(frame: TracebackType, package: str) -> bool:
    """Return whether code is of a package, by its globals: compiled code has no file."""
    return f"{frame.tb_frame.f_globals.get('__name__')}.".startswith(f"{package}.")


# --- startup ---


def find_startup_error(
    spec: BotSpec,
    level: Level,
    limits: Limits,
    rules: Rules | None = None,
    cancelled: Event | None = None,
) -> str | None:
    """Return why a bot does not start at a level; None if it does.

    With `rules` it is also made for a seat of that game, as at the start of a match.

    Raises:
        HostUnavailable: If the machine cannot start another process.
        CancelledError: If `cancelled` was set while its process was waited for.
    """
    errors: list[str] = []
    try:
        with open_level(spec, level, limits, cancelled) as host:
            if host.start_error is None and rules:
                players, settings = rules.players[0], spec.settings
                info = Info.of(rules, seat=0, players=players, key="start", limits=limits, settings=settings)
                player = host.join(info, lambda *failure: errors.append(format_failure(failure[-1])))
                host.leave(player, None)
            return host.start_error or (errors[0] if errors else None)
    except ArenaError as error:
        return str(error)
