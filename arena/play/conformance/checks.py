"""Check a bot in games: play each match twice, and ask decisions again with other hidden cards."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import zip_longest
from random import Random
from traceback import format_exception
from types import TracebackType
from typing import Any

from arena.errors import SamplingError
from arena.games import Rules
from arena.play.bot import BotFactory, Limits
from arena.play.conformance.bot_hosts import BotHost
from arena.play.conformance.call_log import Call, ask_again, log_match
from arena.play.conformance.findings import Findings, Issue, OneGameFindings
from arena.play.conformance.match_plan import MatchPlan
from arena.play.faults import BotFailure

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
