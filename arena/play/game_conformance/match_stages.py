"""Stages of a check that play whole matches: at random, again, in a new process, from their records."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import islice
from time import perf_counter
from typing import Final

from arena.errors import ArenaError
from arena.games import Match
from arena.play.game_conformance.check_state import CheckState
from arena.play.game_conformance.deadline import Deadline
from arena.play.game_conformance.findings import Problem
from arena.play.game_conformance.fresh_process import (
    find_cause,
    find_divergence,
    trace_elsewhere,
    trace_matches,
)
from arena.play.game_conformance.outcome_checks import check_outcome, check_record
from arena.play.game_conformance.position_checks import check_cards, check_turn
from arena.play.game_conformance.random_match import (
    MATCH_TIMEOUT_S,
    GameFailed,
    MatchLog,
    MatchPlan,
    call_game,
    play_logged,
    replay_logged,
    watch_progress,
)
from arena.play.game_conformance.small_pack_games import SMALL_PACKS, cut_packs
from arena.play.game_conformance.unreached_code import LineTracer

FRESH_MATCHES: Final = 20
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
        before, started = random.getstate(), perf_counter()
        failed = _play(state, log)
        state.play_seconds += perf_counter() - started
        failed = failed or _look_back(state, log)
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
    try:
        with watch_progress(lambda: len(log.steps)):
            for _ in play_logged(log, Deadline(MATCH_TIMEOUT_S)):
                pass
        with call_game("placings and payoffs"):
            state.add(log, check_outcome(_match(log)))
    except GameFailed as failed:
        state.add_failure(log, failed, log.actions)
        return failed
    return None


def _look_back(state: CheckState, log: MatchLog) -> GameFailed | None:
    """Note what each seat has seen by the end of each deal."""
    try:
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


def repeat_matches(state: CheckState, logs: Iterable[MatchLog], deadline: Deadline) -> int:
    """Play finished matches again."""
    done = 0
    for log in deadline.limit(logs):
        done += 1
        if log.is_over:
            number = 0
            try:
                for number, _ in replay_logged(log):  # noqa: B007 - read where it fails
                    pass
            except GameFailed as failed:
                state.keep_divergence(failed.problem, log.plan, log.actions[:number])
            state.counts.replays += 1
    return done


def repeat_elsewhere(state: CheckState, logs: Iterable[MatchLog], deadline: Deadline) -> int:
    """Play some matches again in a new process, with another hash seed, clock and order."""
    matches = [(log.plan.players, log.plan.seed) for log in islice(logs, FRESH_MATCHES) if log.is_over]
    if not matches or state.issues.count("global-random") or not state.is_named:
        return 0
    state.counts.fresh_matches = len(matches)
    before, after = trace_matches(state.rules, matches), trace_elsewhere(state.rules, matches)
    if divergence := find_divergence(before, after):
        place, actions, line, other = divergence
        problem = Problem("not-repeated", f"in a new process: {line}; then {other}")
        state.keep_divergence(problem, MatchPlan(state.rules, *matches[place]), actions)
    if state.is_random and (cause := find_cause(state.rules, matches)):
        problem, (players, seed), actions = cause
        state.first_divergence = problem, MatchPlan(state.rules, players, seed), actions
    return len(matches)


def replay_records(state: CheckState, logs: Iterable[MatchLog], deadline: Deadline) -> int:
    """Write the record of some matches, and replay it."""
    done = 0
    for log in deadline.limit(logs):
        done += 1
        if state.is_named and log.is_over and done % RECORD_EVERY == 1:
            state.counts.records += 1
            state.add(log, check_record(log))
    return done


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
