"""Stages of a check that look at some positions of each match: actions, copies, hidden cards, samples."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from random import Random
from typing import Final, Protocol

from arena.errors import SamplingError
from arena.games import Match
from arena.play.game_conformance.check_state import CheckState
from arena.play.game_conformance.deadline import Deadline, OutOfTime
from arena.play.game_conformance.findings import Problem
from arena.play.game_conformance.hidden_cards import check_hidden_cards, check_hidden_choices
from arena.play.game_conformance.position_checks import (
    check_actions,
    check_cards,
    check_copy,
    check_known,
    check_table_events,
    check_texts,
    check_turn,
)
from arena.play.game_conformance.random_match import (
    STEP_TIMEOUT_S,
    GameFailed,
    MatchLog,
    call_game,
    replay_logged,
    watch_progress,
)
from arena.play.game_conformance.sampling_checks import check_worlds, run_uniformity_tests

POSITIONS_A_MATCH: Final = 3
WORLDS_A_POSITION: Final = 2
MAX_WORLDS: Final = 600
"""Sampled worlds after which no more are drawn: those of a game without a sampler of its own take long."""
MAX_SEATS_COMPARED: Final = 4
MAX_UNSAMPLED: Final = 2
"""Positions at which `view.sample` found no world, after which no more samples are drawn."""


class Examine(Protocol):
    """A check of one position; it returns False if copies have changed the match, which is of no more use."""

    def __call__(
        self, state: CheckState, match: Match, log: MatchLog, actions: list[str], rng: Random
    ) -> bool: ...


def examine_positions(
    state: CheckState,
    logs: Iterable[MatchLog],
    deadline: Deadline,
    *,
    examine: Examine,
) -> int:
    """Play finished matches again, and examine some positions of each."""
    done = 0
    for log in deadline.limit(logs):
        done += 1
        if log.is_over:
            _examine_match(state, log, examine)
    return done


def _examine_match(state: CheckState, log: MatchLog, examine: Examine) -> None:
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
    for seat in _seats_compared(match, match.seat_to_act, rng):
        state.add(log, check_known(match, seat), actions)
        state.add(log, check_table_events(match, seat), actions)
        for check in (check_hidden_cards, check_hidden_choices):
            for problem in check(match, seat, rng, state.observe):
                state.counts.redeals += 1
                state.add(log, [problem] if problem else [], actions)
    return True


def _seats_compared(match: Match, seat: int, rng: Random) -> list[int]:
    others = [other for other in range(match.players) if other != seat]
    return [seat, *rng.sample(others, min(MAX_SEATS_COMPARED - 1, len(others)))]


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
