"""Check a game: play random matches, play them again, and look at positions from all sides.

A few matches are examined first, for all properties, so that a game with a mistake is reported at once. If
these show no issue, the others follow, property by property, within the time there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from time import perf_counter
from typing import Final

from arena.games import Rules
from arena.play.game_conformance.check_state import CheckState, Property
from arena.play.game_conformance.deadline import Deadline
from arena.play.game_conformance.findings import GameFindings, StageResult
from arena.play.game_conformance.match_stages import (
    FRESH_MATCHES,
    SMALL_MATCHES,
    play_matches,
    play_small_packs,
    repeat_elsewhere,
    repeat_matches,
    replay_records,
)
from arena.play.game_conformance.position_stages import (
    examine_actions,
    examine_hidden_cards,
    examine_positions,
    examine_worlds,
    sample_small_packs,
)
from arena.play.game_conformance.random_match import MatchLog
from arena.play.game_conformance.unreached_code import describe_lines
from arena.play.game_conformance.view_comparison import Observe

FIRST_MATCHES: Final = 20
"""Matches that are examined first."""
FIRST_SHARE: Final = 0.4
"""Part of the time that these may take."""
PLAYED: Final = Property("random matches", 0.15, play_matches, is_traced=False)  # its speed is measured
REPEATED: Final = Property("played again", 0.15, repeat_matches)
EXAMINED: Final = (
    Property("legal actions", 0.3, partial(examine_positions, examine=examine_actions)),
    Property("hidden cards", 0.5, partial(examine_positions, examine=examine_hidden_cards)),
    Property("records", 0.2, replay_records),
    Property("samples", 0.6, partial(examine_positions, examine=examine_worlds), is_traced=False),
)
"""Properties of matches that go the same each time, first those that cost little and fail often."""
Track = Callable[[str, Sequence[MatchLog]], Iterable[MatchLog]]
ELSEWHERE: Final = Property("new process", 1.0, repeat_elsewhere, is_traced=False)


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
    check = _Check(CheckState(rules, observe), Deadline(seconds), track, on_stage)
    first = min(FIRST_MATCHES, matches)
    check.examine(range(first), check.deadline.part(FIRST_SHARE), fresh_process)
    state = check.state
    if first < matches and not (state.issues.count() or check.deadline.is_past):
        check.examine(range(first, matches), check.deadline, fresh_process=False)
    if not state.issues.count():
        check.play_small_packs()
        check.sample_small_packs(uniformity_tests)
    return check.findings(matches)


class _Check:
    """The check of one game."""

    def __init__(
        self,
        state: CheckState,
        deadline: Deadline,
        track: Track,
        on_stage: Callable[[StageResult], object],
    ) -> None:
        self.state = state
        self.deadline = deadline
        self._track = track
        self._on_stage = on_stage
        self._results: list[StageResult] = []
        self._is_out_of_time = False

    def examine(self, numbers: Iterable[int], deadline: Deadline, fresh_process: bool) -> None:
        """Play the matches of these numbers, and examine all properties in them."""
        state = self.state
        planned = [MatchLog(state.plan(number)) for number in numbers]
        logs = planned[: self._run(PLAYED, planned, deadline)]
        if state.issues.count("endless"):
            return  # more would take as long
        self._run(REPEATED, logs[::-1], deadline)
        if state.is_random and fresh_process:
            self._run(ELSEWHERE, logs[:FRESH_MATCHES], deadline)
        for stage in () if state.is_random else EXAMINED:
            self._run(stage, logs, deadline)
            if stage.name == "hidden cards" and fresh_process:
                self._run(ELSEWHERE, logs[:FRESH_MATCHES], deadline)
        self._add_divergence()

    def _add_divergence(self) -> None:
        """Add the reason why matches go otherwise, unless the global random generator is one."""
        issues, divergence = self.state.issues, self.state.first_divergence
        if divergence and not issues.count("global-random"):
            problem, plan, actions = divergence
            issues.add(problem, plan.players, plan.seed, actions)

    def play_small_packs(self) -> None:
        """Play with few cards where that may reach code that no match has reached: a reshuffle."""
        if self.state.tracer.lines and not self.state.is_random:
            stage = Property("few cards", 0.2, play_small_packs, is_traced=False)
            self._run(stage, [], self.deadline, SMALL_MATCHES)

    def sample_small_packs(self, positions: int) -> None:
        """Compare samples with all possible worlds at some positions, unless matches differ each time."""
        if positions and not self.state.is_random:
            examine = partial(sample_small_packs, positions=positions)
            stage = Property("uniform samples", 1.0, examine, is_traced=False)
            self._run(stage, [], self.deadline, positions)

    def _run(
        self, stage: Property, logs: list[MatchLog], deadline: Deadline, total: int | None = None
    ) -> int:
        """Examine a property in matches, and return how many were examined."""
        total = len(logs) if total is None else total
        before, started = self.state.issues.kinds(), perf_counter()
        part = deadline.part(stage.share)
        with self.state.tracer.active() if stage.is_traced else nullcontext():
            done = stage.examine(self.state, self._track(stage.name, logs), part)
        self._is_out_of_time |= done < total and part.is_past
        kinds = [kind for kind in self.state.issues.kinds() if kind not in before]
        if self.state.first_divergence and stage in (REPEATED, ELSEWHERE):
            kinds.append(self.state.first_divergence[0].kind)
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
        state = self.state
        counts = state.counts
        return GameFindings(
            game=str(state.rules),
            version=state.rules.version,
            players=tuple(sorted({log.plan.players for log in state.logs})),
            counts=counts,
            decisions_per_second=counts.decisions / state.play_seconds if state.play_seconds else 0.0,
            seen_by_others=state.seen_by_others.lines(),
            notes=tuple(state.notes),
            stages=tuple(self._results),
            matches_left=matches - counts.matches,
            is_out_of_time=self._is_out_of_time,
            unreached=() if state.issues.count() else tuple(describe_lines(state.tracer.lines, state.lines)),
            issues=state.issues.issues(),
        )
