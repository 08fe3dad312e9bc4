"""The check of a game: its state, its stages, and their order."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

from arena.errors import ArenaError, SamplingError
from arena.games import Match, Rules, check_name
from arena.play.game_conformance.findings import (
    Counts,
    EventVisibility,
    GameFindings,
    IssueLog,
    Problem,
    StageResult,
)
from arena.play.game_conformance.matches import (
    MATCH_TIMEOUT_S,
    STEP_TIMEOUT_S,
    Deadline,
    GameFailed,
    MatchLog,
    MatchPlan,
    Observe,
    OutOfTime,
    call_game,
    check_outcome,
    check_record,
    play_logged,
    replay_logged,
    watch_progress,
)
from arena.play.game_conformance.new_process import (
    find_divergence,
    find_source,
    trace_in_process,
    trace_matches,
)
from arena.play.game_conformance.positions import (
    LineTracer,
    check_actions,
    check_cards,
    check_copy,
    check_hidden_cards,
    check_hidden_choices,
    check_known,
    check_table_events,
    check_texts,
    check_turn,
    describe_lines,
    list_lines,
)
from arena.play.game_conformance.worlds import SMALL_PACKS, check_worlds, cut_packs, run_uniformity_tests

# --- state ---
# All stages share it.

Track = Callable[[str, Sequence[MatchLog]], Iterable[MatchLog]]
USUAL_PLAYERS: Final = 4
LARGEST_EVERY: Final = 8
"""Number of matches among which one is at the largest table."""


class CheckState:
    """The state of the check of one game.

    Attributes:
        rules: The game.
        observe: Returns the observation that learners get of a view; None to leave observations out.
        logs: The matches played.
        issues: The problems found.
        counts: Numbers of what was tried.
        seen_by_others: The cards that events show to other seats.
        notes: Checks that could not be made, with the reason.
        play_seconds: Time spent playing random matches.
        is_random: True if matches do not go the same each time.
        is_named: True if others find the same rules by their name and options.
        first_divergence: The match that goes another way after the fewest actions, if any.
        lines: The lines of the game by which matches go.
        tracer: Notes which of them are reached.
    """

    def __init__(
        self,
        rules: Rules,
        observe: Observe | None,
        track: Track = lambda name, logs: logs,
        on_stage: Callable[[StageResult], object] = lambda result: None,
    ) -> None:
        self.rules = rules
        self.observe = observe
        self._track = track
        self._on_stage = on_stage
        smallest, largest = rules.players[0], rules.players[-1]
        usual = min(max(USUAL_PLAYERS, smallest), largest)
        self._sizes = sorted({smallest, min(smallest + 1, largest), usual})
        self.logs: list[MatchLog] = []
        self.issues = IssueLog()
        self.counts = Counts()
        self.seen_by_others = EventVisibility()
        self.notes: list[str] = []
        self._results: list[StageResult] = []
        self.play_seconds = 0.0
        self.is_random = False
        self.is_named = self._find_name()
        self._is_out_of_time = False
        self.first_divergence: tuple[Problem, MatchPlan, list[str]] | None = None
        self.lines = list_lines(rules)
        self.tracer = LineTracer(self.lines)

    def _find_name(self) -> bool:
        try:
            check_name(self.rules)
        except ArenaError as error:
            self.add_note(f"records, and matches in a new process: {error}")
            return False
        return True

    def plan(self, number: int) -> MatchPlan:
        """Return a match of the check: few players mostly, the largest table from time to time."""
        is_largest = number % LARGEST_EVERY == LARGEST_EVERY - 1
        players = self.rules.players[-1] if is_largest else self._sizes[number % len(self._sizes)]
        return MatchPlan(self.rules, players, f"{self.rules.name} {number}")

    def count_tried(self) -> int:
        """Return the number of things tried at positions, which grows as long as the check goes on."""
        counts = self.counts
        return counts.actions + counts.copies + counts.redeals + counts.worlds

    def add(self, log: MatchLog, problems: Iterable[Problem], actions: list[str] | None = None) -> None:
        """Add problems of a match, which it shows after these actions, or at its end."""
        shown = log.actions if actions is None else actions
        for problem in problems:
            self.issues.add(problem, log.plan.players, log.plan.seed, shown)

    def add_failure(self, log: MatchLog, failed: GameFailed, actions: list[str]) -> None:
        """Add the problem of a match that could not go on after these actions."""
        if failed.problem.kind == "action-raises":
            actions = [*actions, failed.attempted]
        self.add(log, [failed.problem], actions)

    def add_note(self, note: str) -> None:
        """Add a check that could not be made, with the reason."""
        if note not in self.notes:
            self.notes.append(note)

    def keep_divergence(self, problem: Problem, plan: MatchPlan, actions: list[str]) -> None:
        """Keep a match that goes another way when played again, if no shorter one is known."""
        self.is_random = True
        known = self.first_divergence
        if known is None or len(actions) < len(known[2]):
            self.first_divergence = problem, plan, actions

    def run(self, stage: Stage, logs: list[MatchLog], deadline: Deadline, total: int | None = None) -> int:
        """Examine a property in matches, and return how many were examined."""
        total = len(logs) if total is None else total
        before, started = self.issues.kinds(), perf_counter()
        part = deadline.part(stage.share)
        with self.tracer.active() if stage.is_traced else nullcontext():
            done = stage.examine(self, self._track(stage.name, logs), part)
        self._is_out_of_time |= done < total and part.is_past
        kinds = [kind for kind in self.issues.kinds() if kind not in before]
        if self.first_divergence and stage in (REPEATED, ELSEWHERE):
            kinds.append(self.first_divergence[0].kind)
        result = StageResult(
            name=stage.name,
            done=done,
            total=total,
            seconds=perf_counter() - started,
            issues=tuple(dict.fromkeys(kinds)),
        )
        self._results.append(result)
        self._on_stage(result)
        return done

    def findings(self, matches: int) -> GameFindings:
        """Return the findings of a check that was to play so many matches."""
        counts = self.counts
        return GameFindings(
            game=str(self.rules),
            version=self.rules.version,
            players=tuple(sorted({log.plan.players for log in self.logs})),
            counts=counts,
            decisions_per_second=counts.decisions / self.play_seconds if self.play_seconds else 0.0,
            seen_by_others=self.seen_by_others.lines(),
            notes=tuple(self.notes),
            stages=tuple(self._results),
            matches_left=matches - counts.matches,
            is_out_of_time=self._is_out_of_time,
            unreached=() if self.issues.count() else tuple(describe_lines(self.tracer.lines, self.lines)),
            issues=self.issues.issues(),
        )


class Stage(NamedTuple):
    """A property of a game that a check examines."""

    name: str
    share: float
    """Part of the time left that it may take."""
    examine: Callable[[CheckState, Iterable[MatchLog], Deadline], int]
    """Examines it in matches until the deadline, and returns in how many."""
    is_traced: bool = True
    """Whether the lines of the game that it reaches are noted."""


def examine_each(
    state: CheckState,
    logs: Iterable[MatchLog],
    deadline: Deadline,
    *,
    examine: Callable[[CheckState, MatchLog], object],
    every: int = 1,
) -> int:
    """Examine each finished match, or every so many of them, until the deadline; return the number passed."""
    done = 0
    for done, log in enumerate(deadline.limit(logs), 1):
        if log.is_over and (done - 1) % every == 0:
            examine(state, log)
    return done


# --- stages of whole matches ---
# Matches are played at random, again, in a new process, and from their records.

RECORD_EVERY: Final = 10
"""Number of matches among which one is recorded and its record replayed."""
SMALL_MATCHES: Final = 60
"""Matches with few cards that are played to reach more code."""
MAX_FAILED_MATCHES: Final = 100
"""Failed matches after which no more are played."""


def play_matches(state: CheckState, logs: Iterable[MatchLog], deadline: Deadline) -> int:
    """Play random matches, and check how they end."""
    done = 0
    for log in deadline.limit(logs):
        done += 1
        state.logs.append(log)
        before = random.getstate()
        failed = _play(state, log)
        state.counts.matches += 1
        state.counts.deals += len(log.deals)
        state.counts.decisions += len(log.steps)
        if random.getstate() != before:
            state.is_random = True
            _add_global_random(state, log.plan)
        if failed and (failed.problem.kind == "endless" or state.issues.count() >= MAX_FAILED_MATCHES):
            break
    return done


def _play(state: CheckState, log: MatchLog) -> GameFailed | None:
    """Play a match, check its outcome, and note what each seat has seen by the end of each deal."""
    started = perf_counter()
    try:
        try:
            with watch_progress(lambda: len(log.steps)):
                for _ in play_logged(log, Deadline(MATCH_TIMEOUT_S)):
                    pass
            with call_game("placings and payoffs"):
                state.add(log, check_outcome(_match(log)))
        finally:
            state.play_seconds += perf_counter() - started
        with call_game("the view after a deal"):
            for deal in _match(log).finished_deals:
                for seat in range(log.plan.players):
                    state.seen_by_others.add(deal.view(seat))
    except GameFailed as failed:
        state.add_failure(log, failed, log.actions)
        return failed
    return None


def _match(log: MatchLog) -> Match:
    assert log.match is not None
    return log.match


def _add_global_random(state: CheckState, plan: MatchPlan) -> None:
    """Play a match again up to the action that uses the global random generator."""
    log, before = MatchLog(plan), random.getstate()
    try:
        for _ in play_logged(log):
            if random.getstate() != before:
                break
    except GameFailed:
        pass
    detail = "a match changes the state of the module random, which is not keyed by the match's seed"
    state.add(log, [Problem("global-random", detail)])


def repeat_match(state: CheckState, log: MatchLog) -> None:
    """Play a finished match again."""
    number = 0
    try:
        for number, _ in replay_logged(log):  # noqa: B007 - read where it fails
            pass
    except GameFailed as failed:
        state.keep_divergence(failed.problem, log.plan, log.actions[:number])
    state.counts.replays += 1


def repeat_elsewhere(state: CheckState, logs: Iterable[MatchLog], deadline: Deadline) -> int:
    """Play matches again in a new process, in reverse order, and find why some go otherwise there or here."""
    matches = [(log.plan.players, log.plan.seed) for log in logs if log.is_over]
    if not matches or state.issues.count("global-random") or not state.is_named:
        return 0
    state.counts.fresh_matches = len(matches)
    is_random_here = state.is_random
    after = trace_in_process(state.rules, matches, hash_seed=1)
    if divergence := find_divergence(trace_matches(state.rules, matches), after):
        place, actions, line, other = divergence
        problem = Problem("not-repeated", f"in a new process: {line}; then {other}")
        state.keep_divergence(problem, MatchPlan(state.rules, *matches[place]), actions)
    cause, plan, actions = state.first_divergence or (None, MatchPlan(state.rules, *matches[0]), [])
    if source := find_source(state.lines):
        cause = source
    elif cause and not find_divergence(after, trace_in_process(state.rules, matches, hash_seed=2)):
        cause = Problem("keeps-state", f"when matches are played in another order, {cause.detail}")
    elif cause and (source := find_source(state.lines, is_everywhere=True)):
        cause = source
    elif cause and not is_random_here:
        cause = Problem("hash-order", f"with another PYTHONHASHSEED, {cause.detail}")
    if cause:
        state.first_divergence = cause, plan, actions
    return len(matches)


def replay_record(state: CheckState, log: MatchLog) -> None:
    """Write the record of a match, and replay it."""
    if state.is_named:
        state.counts.records += 1
        state.add(log, check_record(log))


def play_small_packs(state: CheckState, logs: Iterable[MatchLog], deadline: Deadline) -> int:
    """Play matches with few cards, and check those that reach code which no other match has reached.

    A game may need more cards than these: what goes wrong elsewhere in it says nothing.
    """
    rng, left = random.Random(f"{state.rules.name}, small packs"), state.tracer.lines
    packs = [small for small in cut_packs(state.rules, rng) for _ in range(SMALL_MATCHES // SMALL_PACKS)]
    for done, small in enumerate(packs):
        if deadline.is_past or not state.tracer.lines:
            return done if deadline.is_past else SMALL_MATCHES
        plan = MatchPlan(small, small.players[0], f"{state.rules.name}, small packs {done}")
        log, tracer, problems = MatchLog(plan), LineTracer(left), list[Problem]()
        try:
            with tracer.active(), watch_progress(lambda log=log: len(log.steps)):  # type: ignore[misc]
                for match in play_logged(log, Deadline(MATCH_TIMEOUT_S)):
                    problems = [*check_turn(match), *check_cards(match)]
                    if problems:
                        break
        except GameFailed as failed:
            problems = [failed.problem]
        except ArenaError:
            continue  # these cards cannot be dealt
        reached = left - tracer.lines
        state.tracer.discard(reached)
        if problems and reached:
            pack = " ".join(map(str, small.whole_pack.cards))
            state.issues.add(problems[0], plan.players, plan.seed, log.actions, pack)
            return done + 1
    return SMALL_MATCHES


# --- stages of positions ---
# Some positions of each match: their actions, copies, hidden cards and samples.

POSITIONS_A_MATCH: Final = 3
WORLDS_A_POSITION: Final = 2
MAX_WORLDS: Final = 600
"""Sampled worlds after which no more are drawn: those of a game without a sampler of its own take long."""
MAX_SEATS_COMPARED: Final = 4
MAX_UNSAMPLED: Final = 2
"""Positions at which `view.sample` found no world, after which no more samples are drawn."""


Examine = Callable[[CheckState, Match, MatchLog, list[str], Random], bool]
"""A check of one position; it returns False if copies have changed the match, which is of no more use."""


def examine_positions(state: CheckState, log: MatchLog, *, examine: Examine) -> None:
    """Play a finished match again, and examine some of its positions."""
    rng = log.plan.rng("positions")
    chosen = set(rng.sample(range(len(log.steps)), min(POSITIONS_A_MATCH, len(log.steps))))
    try:
        for number, match in replay_logged(log):
            if number in chosen and match.seat_to_act is not None:
                with call_game("a copy, view or sample of this position"), watch_progress(state.count_tried):
                    if not examine(state, match, log, log.actions[:number], rng):
                        return
    except GameFailed as failed:
        kind = "shared-copy" if failed.problem.kind == "not-repeated" else failed.problem.kind
        problem = Problem(kind, f"with copies played on in between, {failed.problem.detail}")
        state.add_failure(log, GameFailed(problem, failed.attempted), log.actions)


def examine_actions(state: CheckState, match: Match, log: MatchLog, actions: list[str], rng: Random) -> bool:
    """Check the legal actions of a position, their texts, and copies that are played on."""
    add = partial(state.add, log, actions=actions)
    seat = match.seat_to_act
    assert seat is not None
    view = match.view(seat)
    add(check_turn(match))
    add(check_cards(match))
    add(check_texts(view, rng))
    state.counts.copies += 1
    if problems := list(check_copy(match, rng)):
        add(problems)
        return False
    for attempted, problem in check_actions(match, view, rng):
        state.counts.actions += 1
        if problem and problem.kind == "shared-copy":
            add([problem])
            return False
        if problem:
            state.add(log, [problem], [*actions, attempted])
    return True


def examine_hidden_cards(
    state: CheckState, match: Match, log: MatchLog, actions: list[str], rng: Random
) -> bool:
    """Check what the seat to act and some others know: the same with other cards where they cannot see."""
    assert match.seat_to_act is not None
    others = [seat for seat in range(match.players) if seat != match.seat_to_act]
    for seat in [match.seat_to_act, *rng.sample(others, min(MAX_SEATS_COMPARED - 1, len(others)))]:
        state.add(log, check_known(match, seat), actions)
        state.add(log, check_table_events(match, seat), actions)
        for check in (check_hidden_cards, check_hidden_choices):
            for problem in check(match, seat, rng, state.observe):
                state.counts.redeals += 1
                state.add(log, [problem] if problem else [], actions)
    return True


def examine_worlds(state: CheckState, match: Match, log: MatchLog, actions: list[str], rng: Random) -> bool:
    """Check some samples, as long as sampling is possible at all."""
    assert match.seat_to_act is not None
    counts = state.counts
    if counts.unsampled >= MAX_UNSAMPLED or counts.worlds >= MAX_WORLDS:
        return True
    view = match.view(match.seat_to_act)
    try:
        with call_game("view.samples"):
            for problem in check_worlds(match, view, rng, WORLDS_A_POSITION):
                counts.worlds += 1
                state.add(log, [problem] if problem else [], actions)
    except GameFailed as failed:
        if failed.problem.kind == "endless":
            counts.unsampled = MAX_UNSAMPLED
            why = f"one took more than {STEP_TIMEOUT_S:.0f} s of CPU time"
        elif isinstance(failed.__cause__, SamplingError):
            counts.unsampled += 1
            why = f"at {MAX_UNSAMPLED} positions there was none, the last time: {failed.__cause__}"
        else:
            raise
        if counts.unsampled == MAX_UNSAMPLED:
            state.add_note(f"more samples: {why}")
    return True


def sample_small_packs(
    state: CheckState,
    logs: Iterable[MatchLog],
    deadline: Deadline,
    *,
    positions: int,
) -> int:
    """Compare sampled worlds with all that are possible, at some positions of games with few cards."""
    counts = state.counts
    try:
        for test in run_uniformity_tests(state.rules, state.rules.name, positions, deadline):
            counts.uniformity_tests += 1
            if test.problem:
                pack = " ".join(map(str, test.log.plan.rules.whole_pack.cards))
                plan = test.log.plan
                state.issues.add(test.problem, plan.players, plan.seed, test.log.actions, pack)
    except OutOfTime:
        return counts.uniformity_tests
    if positions and not counts.uniformity_tests:
        state.add_note("whether samples are uniform: no position with few cards could be enumerated")
    return positions


# --- order of stages ---
# A few matches are examined first, for all properties, so that a game with a mistake is reported at once. If
# these show no issue, the others follow, property by property, within the time there is.

FIRST_MATCHES: Final = 20
"""Matches that are examined first."""
FIRST_SHARE: Final = 0.4
"""Part of the time that these may take."""


def _at_positions(examine: Examine) -> Callable[..., int]:
    return partial(examine_each, examine=partial(examine_positions, examine=examine))


PLAYED: Final = Stage("random matches", 0.15, play_matches, is_traced=False)  # its speed is measured
REPEATED: Final = Stage("played again", 0.15, partial(examine_each, examine=repeat_match))
ELSEWHERE: Final = Stage("new process", 1.0, repeat_elsewhere, is_traced=False)
EXAMINED: Final = (
    Stage("legal actions", 0.3, _at_positions(examine_actions)),
    Stage("hidden cards", 0.5, _at_positions(examine_hidden_cards)),
    ELSEWHERE,
    Stage("records", 0.2, partial(examine_each, examine=replay_record, every=RECORD_EVERY)),
    Stage("samples", 0.6, _at_positions(examine_worlds), is_traced=False),
)
"""Stages of played matches, first those that cost little and fail often; matches that go otherwise each time
are played again elsewhere and have no others."""


def check_game(
    rules: Rules,
    *,
    matches: int = 1000,
    seconds: float | None = None,
    uniformity_tests: int = 3,
    fresh_process: bool = True,
    observe: Observe | None = None,
    track: Track = lambda name, logs: logs,
    on_stage: Callable[[StageResult], object] = lambda result: None,
) -> GameFindings:
    """Check a game, and return what is wrong with it.

    Args:
        rules: The game.
        matches: Random matches to play, at tables of several sizes; if the first 20 show issues, no more.
        seconds: CPU time after which no more matches are examined; None for no limit.
        uniformity_tests: Positions with few cards whose worlds are enumerated.
        fresh_process: Play some matches again in a new process.
        observe: Returns the observation that learners get of a view.
        track: Called with the name of a property and the matches to examine; returns them to iterate over.
        on_stage: Called when a property has been examined in some matches.
    """
    state, end = CheckState(rules, observe, track, on_stage), Deadline(seconds)
    first = min(FIRST_MATCHES, matches)
    _examine(state, range(first), end.part(FIRST_SHARE), fresh_process)
    if first < matches and not (state.issues.count() or end.is_past):
        _examine(state, range(first, matches), end, fresh_process=False)
    if not state.issues.count():
        if state.tracer.lines:
            state.run(Stage("few cards", 0.2, play_small_packs, is_traced=False), [], end, SMALL_MATCHES)
        if uniformity_tests:
            sample = partial(sample_small_packs, positions=uniformity_tests)
            state.run(Stage("uniform samples", 1.0, sample, is_traced=False), [], end, uniformity_tests)
    return state.findings(matches)


def _examine(state: CheckState, numbers: Iterable[int], deadline: Deadline, fresh_process: bool) -> None:
    """Play the matches of these numbers, and examine all properties in them."""
    planned = [MatchLog(state.plan(number)) for number in numbers]
    logs = planned[: state.run(PLAYED, planned, deadline)]
    if state.issues.count("endless"):
        return  # more would take as long
    state.run(REPEATED, logs[::-1], deadline)
    for stage in EXAMINED:
        if fresh_process if stage is ELSEWHERE else not state.is_random:
            state.run(stage, logs, deadline)
    if state.first_divergence and not state.issues.count("global-random"):  # which is the reason
        problem, plan, actions = state.first_divergence
        state.issues.add(problem, plan.players, plan.seed, actions)
