"""Check a game: play random matches, play them again, and look at positions from all sides."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from time import perf_counter
from typing import Final

from arena.errors import ArenaError
from arena.games import Match, Rules, check_name
from arena.play.game_conformance.findings import Counts, GameFindings, IssueLog, Problem
from arena.play.game_conformance.fresh_process import (
    find_cause,
    find_divergence,
    trace_elsewhere,
    trace_matches,
)
from arena.play.game_conformance.hidden_cards import check_hidden_cards
from arena.play.game_conformance.outcome_checks import check_outcome, check_record
from arena.play.game_conformance.position_checks import (
    check_actions,
    check_cards,
    check_copy,
    check_known,
    check_texts,
    check_turn,
)
from arena.play.game_conformance.random_match import (
    GameFailed,
    MatchLog,
    MatchPlan,
    call_game,
    play_logged,
    replay_logged,
    watch_progress,
)
from arena.play.game_conformance.seen_by_others import SeenByOthers
from arena.play.game_conformance.view_facts import Observe
from arena.play.game_conformance.world_sampling import check_worlds, run_uniformity_tests

USUAL_PLAYERS: Final = 4
LARGEST_EVERY: Final = 8
"""Number of matches among which one is at the largest table."""
POSITIONS_A_MATCH: Final = 3
WORLDS_A_POSITION: Final = 2
MAX_WORLDS: Final = 600
"""Sampled worlds after which no more are drawn: those of a game without a sampler of its own take long."""
MAX_SEATS_COMPARED: Final = 4
MAX_UNSAMPLED: Final = 2
"""Positions at which `view.sample` found no world, after which no more samples are drawn."""
RECORD_EVERY: Final = 10
"""Number of matches among which one is recorded and its record replayed."""
FRESH_MATCHES: Final = 20
MAX_FAILED_MATCHES: Final = 100
"""Failed matches after which no more are played."""


def check_game(
    rules: Rules,
    *,
    matches: int = 1000,
    uniformity_tests: int = 3,
    fresh_process: bool = True,
    observe: Observe | None = None,
    on_match: Callable[[], object] = lambda: None,
) -> GameFindings:
    """Check a game, and return what is wrong with it.

    Args:
        rules: The game.
        matches: Random matches to play, at tables of several sizes.
        uniformity_tests: Positions with few cards whose worlds are enumerated.
        fresh_process: Play some matches again in a new process.
        observe: Returns the observation that learners get of a view.
        on_match: Called twice for each match: when it has been played, and when it has been checked.
    """
    check = _Check(rules, observe)
    check.play(matches, on_match)
    check.repeat()
    if fresh_process:
        check.repeat_elsewhere()
    check.add_divergence()
    if not check.is_random:
        check.examine(on_match)
        check.sample_small(uniformity_tests)
    return check.findings()


class _Check:
    """The check of one game."""

    def __init__(self, rules: Rules, observe: Observe | None) -> None:
        self.rules = rules
        self._observe = observe
        smallest, largest = rules.players[0], rules.players[-1]
        usual = min(max(USUAL_PLAYERS, smallest), largest)
        self.sizes = sorted({smallest, min(smallest + 1, largest), usual})
        self.logs: list[MatchLog] = []
        self.issues = IssueLog()
        self.counts = Counts()
        self.seen_by_others = SeenByOthers()
        self.notes: list[str] = []
        self.seconds = 0.0
        self.is_random = False
        """True if matches do not go the same each time."""
        self.is_named = self._find_name()
        self._first_divergence: tuple[Problem, MatchPlan, list[str]] | None = None

    def _find_name(self) -> bool:
        """Return whether others find the same rules by their name and options; else note it."""
        try:
            check_name(self.rules)
        except ArenaError as error:
            self._add_note(f"records, and matches in a new process: {error}")
            return False
        return True

    def findings(self) -> GameFindings:
        """Return the findings so far."""
        return GameFindings(
            game=str(self.rules),
            version=self.rules.version,
            players=tuple(sorted({log.plan.players for log in self.logs})),
            counts=self.counts,
            decisions_per_second=self.counts.decisions / self.seconds if self.seconds else 0.0,
            seen_by_others=self.seen_by_others.lines(),
            notes=tuple(self.notes),
            issues=self.issues.issues(),
        )

    # --- playing ---

    def plan(self, number: int) -> MatchPlan:
        """Return a match of the check: few players mostly, the largest table from time to time."""
        is_largest = number % LARGEST_EVERY == LARGEST_EVERY - 1
        players = self.rules.players[-1] if is_largest else self.sizes[number % len(self.sizes)]
        return MatchPlan(self.rules, players, f"{self.rules.name} {number}")

    def play(self, matches: int, on_match: Callable[[], object]) -> None:
        """Play random matches, and check how they end."""
        for number in range(matches):
            log = MatchLog(self.plan(number))
            self.logs.append(log)
            state, started = random.getstate(), perf_counter()
            failed = self._play(log)
            self.seconds += perf_counter() - started
            self.counts.matches += 1
            self.counts.deals += len(log.deals)
            self.counts.decisions += len(log.steps)
            if random.getstate() != state:
                self.is_random = True
                self._add_global_random(log.plan)
            on_match()
            if failed and (failed.problem.kind == "endless" or self.issues.count() >= MAX_FAILED_MATCHES):
                break

    def _play(self, log: MatchLog) -> GameFailed | None:
        try:
            with watch_progress(lambda: len(log.steps)):
                for _ in play_logged(log):
                    pass
            with call_game("placings and payoffs"):
                self._add(log, check_outcome(_match(log)))
        except GameFailed as failed:
            self._add_failure(log, failed, log.actions)
            return failed
        return None

    def _add_global_random(self, plan: MatchPlan) -> None:
        """Play a match again up to the action that uses the global random generator."""
        log, state = MatchLog(plan), random.getstate()
        try:
            for _ in play_logged(log):
                if random.getstate() != state:
                    break
        except GameFailed:
            pass
        detail = "a match changes the state of the module random, which is not keyed by the match's seed"
        self._add(log, [Problem("global-random", detail)])

    # --- playing again ---

    def repeat(self) -> None:
        """Play all finished matches again, the last one first."""
        for log in reversed(self.logs):
            if log.is_over:
                number = 0
                try:
                    for number, _ in replay_logged(log):  # noqa: B007 - read where it fails
                        pass
                except GameFailed as failed:
                    self.is_random = True
                    self._keep_divergence(failed.problem, log.plan, log.actions[:number])
                self.counts.replays += 1

    def repeat_elsewhere(self) -> None:
        """Play some matches again in a new process, with another hash seed, clock and order."""
        matches = [(log.plan.players, log.plan.seed) for log in self.logs[:FRESH_MATCHES] if log.is_over]
        if not matches or self.issues.count("global-random"):
            return
        if not self.is_named:
            return
        self.counts.fresh_matches = len(matches)
        before, after = trace_matches(self.rules, matches), trace_elsewhere(self.rules, matches)
        if found := find_divergence(before, after):
            place, actions, line, other = found
            self.is_random = True
            problem = Problem("not-repeated", f"in a new process: {line}; then {other}")
            self._keep_divergence(problem, MatchPlan(self.rules, *matches[place]), actions)
        if self.is_random and (cause := find_cause(self.rules, matches)):
            problem, (players, seed), actions = cause
            self._first_divergence = problem, MatchPlan(self.rules, players, seed), actions

    def _keep_divergence(self, problem: Problem, plan: MatchPlan, actions: list[str]) -> None:
        known = self._first_divergence
        if known is None or len(actions) < len(known[2]):
            self._first_divergence = problem, plan, actions

    def add_divergence(self) -> None:
        """Add the reason why matches go otherwise, unless the global random generator is one."""
        if self._first_divergence and not self.issues.count("global-random"):
            problem, plan, actions = self._first_divergence
            self.issues.add(problem, plan.players, plan.seed, actions)

    # --- positions ---

    def examine(self, on_match: Callable[[], object]) -> None:
        """Play finished matches again, and check some positions of each."""
        for number, log in enumerate(self.logs):
            if log.is_over:
                self._examine_match(log)
                if number % RECORD_EVERY == 0:
                    self._check_record(log)
            on_match()

    def _examine_match(self, log: MatchLog) -> None:
        rng = log.plan.rng("positions")
        chosen = set(rng.sample(range(len(log.steps)), min(POSITIONS_A_MATCH, len(log.steps))))
        try:
            for number, match in replay_logged(log):
                if number in chosen:
                    with (
                        call_game("a copy, view or sample of this position"),
                        watch_progress(self._count_tried),
                    ):
                        if not self._examine_position(match, log, log.actions[:number], rng):
                            return
        except GameFailed as failed:
            kind = "shared-copy" if failed.problem.kind == "not-repeated" else failed.problem.kind
            problem = Problem(kind, f"with copies played on in between, {failed.problem.detail}")
            self._add_failure(log, GameFailed(problem, failed.attempted), log.actions)

    def _examine_position(self, match: Match, log: MatchLog, actions: list[str], rng: Random) -> bool:
        """Check a position; return False if copies have changed the match, which is of no more use then."""
        add = partial(self._add, log, actions=actions)
        seat = match.seat_to_act
        if seat is None:
            return True
        view = match.view(seat)
        add(check_turn(match))
        add(check_cards(match))
        add(check_texts(view, rng))
        self.counts.copies += 1
        if problems := list(check_copy(match, rng)):
            add(problems)
            return False
        for attempted, problem in check_actions(match, view, rng):
            self.counts.actions += 1
            if problem and problem.kind == "shared-copy":
                add([problem])
                return False
            if problem:
                self._add(log, [problem], [*actions, attempted])
        for other in self._seats_compared(match, seat, rng):
            add(check_known(match, other))
            self.seen_by_others.add(match.view(other))
            for problem in check_hidden_cards(match, other, rng, self._observe):
                self.counts.redeals += 1
                add([problem] if problem else [])
        self._check_worlds(match, log, actions, rng)
        return True

    def _count_tried(self) -> int:
        counts = self.counts
        return counts.actions + counts.copies + counts.redeals + counts.worlds

    def _seats_compared(self, match: Match, seat: int, rng: Random) -> list[int]:
        others = [other for other in range(match.players) if other != seat]
        return [seat, *rng.sample(others, min(MAX_SEATS_COMPARED - 1, len(others)))]

    def _check_worlds(self, match: Match, log: MatchLog, actions: list[str], rng: Random) -> None:
        """Check some samples, as long as sampling is possible at all."""
        assert match.seat_to_act is not None
        if self.counts.unsampled >= MAX_UNSAMPLED or self.counts.worlds >= MAX_WORLDS:
            return
        view = match.view(match.seat_to_act)
        try:
            for problem in check_worlds(match, view, rng, WORLDS_A_POSITION):
                self.counts.worlds += 1
                self._add(log, [problem] if problem else [], actions)
        except ArenaError as error:
            self.counts.unsampled += 1
            if self.counts.unsampled == MAX_UNSAMPLED:
                self._add_note(
                    f"more samples: at {MAX_UNSAMPLED} positions there was none, the last time: {error}"
                )

    def sample_small(self, positions: int) -> None:
        """Compare sampled worlds with all that are possible, in games with few cards."""
        if not positions:
            return
        for test in run_uniformity_tests(self.rules, self.rules.name, positions):
            self.counts.uniformity_tests += 1
            if test.problem:
                pack = " ".join(map(str, test.log.plan.rules.whole_pack.cards))
                plan = test.log.plan
                self.issues.add(test.problem, plan.players, plan.seed, test.log.actions, pack)
        if not self.counts.uniformity_tests:
            self._add_note("whether samples are uniform: no position with few cards could be enumerated")

    def _check_record(self, log: MatchLog) -> None:
        if self.is_named:
            self.counts.records += 1
            self._add(log, check_record(log))

    # --- issues ---

    def _add(self, log: MatchLog, problems: Iterable[Problem], actions: list[str] | None = None) -> None:
        for problem in problems:
            self.issues.add(
                problem, log.plan.players, log.plan.seed, log.actions if actions is None else actions
            )

    def _add_failure(self, log: MatchLog, failed: GameFailed, actions: list[str]) -> None:
        if failed.problem.kind == "action-raises":
            actions = [*actions, failed.attempted]
        self._add(log, [failed.problem], actions)

    def _add_note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _match(log: MatchLog) -> Match:
    assert log.match is not None
    return log.match
