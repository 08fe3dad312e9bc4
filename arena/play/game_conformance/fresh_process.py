"""Play matches of a check again in new processes: another hash seed, another clock, another order.

A process is given `Conditions` as JSON on its standard input, and answers with what happened in each match.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import msgspec

from arena.errors import PluginError
from arena.games import Rules
from arena.installed import VARIABLE, encode_games
from arena.play.game_conformance.findings import Problem
from arena.play.game_conformance.matches import (
    GameFailed,
    MatchLog,
    MatchPlan,
    format_value,
    play_logged,
    view_facts,
)

ACTION: Final = "action "
"""Start of the line of an action in a trace."""
CLOCK_STEP_S: Final = 86_400 * 37 + 5 * 3600 + 11 * 60 + 7.251
"""Seconds by which clocks are advanced for each match: another month, day, hour, minute and second."""


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """Matches to play, and what surrounds them."""

    variant: str
    options: dict[str, Any]
    matches: tuple[tuple[int, str], ...]
    """Players and seed of each match."""
    clock_step_s: float = 0.0
    """Seconds by which all clocks, which stand still otherwise, are advanced for each match."""
    order: int = 0
    """Key of the order in which the matches are played; 0 for the order given."""


class Variation(msgspec.Struct, frozen=True, kw_only=True):
    """A difference between two processes, and the kind of problem if matches go otherwise."""

    kind: str
    detail: str
    hash_seed: int = 0
    clock_step_s: float = 0.0
    order: int = 0


VARIATIONS: Final = (
    Variation(kind="not-repeated", detail="in two new processes that are alike"),
    Variation(kind="clock", detail="when clocks are advanced", clock_step_s=CLOCK_STEP_S),
    *(
        Variation(kind="hash-order", detail="with another PYTHONHASHSEED", hash_seed=hash_seed)
        for hash_seed in (1, 2, 3)
    ),
    Variation(kind="keeps-state", detail="when the matches are played in another order", order=1),
)


def trace_matches(
    rules: Rules,
    matches: Sequence[tuple[int, str]],
    order: int = 0,
    before_match: Callable[[], None] = lambda: None,
) -> list[list[str]]:
    """Play random matches and return, by match, what each decision shows, each action and each deal."""
    places = list(range(len(matches)))
    if order:
        Random(order).shuffle(places)
    traces = {}
    for place in places:
        before_match()
        traces[place] = trace_match(MatchPlan(rules, *matches[place]))
    return [traces[place] for place in range(len(matches))]


def trace_match(plan: MatchPlan) -> list[str]:
    """Play a random match and return what each decision shows, each action and each deal."""
    log, trace = MatchLog(plan), []
    steps = deals = 0
    try:
        for match in play_logged(log):
            trace += [ACTION + str(step) for step in log.steps[steps:]] + log.deals[deals:]
            steps, deals = len(log.steps), len(log.deals)
            seat = match.seat_to_act
            assert seat is not None
            facts = view_facts(match.view(seat))
            trace += [f"{name} of seat {seat} is {format_value(value)}" for name, value in facts.items()]
    except GameFailed as failed:
        trace.append(str(failed))
    trace += [ACTION + str(step) for step in log.steps[steps:]] + log.deals[deals:]
    if log.is_over and log.match is not None:
        trace.append(f"payoffs {log.match.payoffs}, placings {log.match.placings}")
    return trace


def find_cause(
    rules: Rules, matches: Sequence[tuple[int, str]]
) -> tuple[Problem, tuple[int, str], list[str]] | None:
    """Return why matches do not go the same each time, with the match and its actions up to there.

    Processes that differ in one thing play the same matches. None if no difference changes anything.

    Raises:
        PluginError: If a process cannot play the game.
    """
    usual = describe_conditions(rules, matches)
    before = trace_in_process(usual, 0)
    for variation in VARIATIONS:
        changed = msgspec.structs.replace(usual, clock_step_s=variation.clock_step_s, order=variation.order)
        after = trace_in_process(changed, variation.hash_seed)
        if divergence := find_divergence(before, after):
            place, actions, line, other = divergence
            detail = f"{variation.detail}: {line}; then {other}"
            return Problem(variation.kind, detail), matches[place], actions
    return None


def find_divergence(
    before: Sequence[list[str]], after: Sequence[list[str]]
) -> tuple[int, list[str], str, str] | None:
    """Return the match that goes another way after the fewest actions: its place, actions and both lines."""
    shortest: tuple[int, list[str], str, str] | None = None
    for place, (trace, other) in enumerate(zip(before, after, strict=True)):
        lines = zip([*trace, "it ends"], [*other, "it ends"], strict=False)
        number = next((number for number, (ours, theirs) in enumerate(lines) if ours != theirs), None)
        if number is not None:
            actions = [line.removeprefix(ACTION) for line in trace[:number] if line.startswith(ACTION)]
            if shortest is None or len(actions) < len(shortest[1]):
                shortest = place, actions, [*trace, "it ends"][number], [*other, "it ends"][number]
    return shortest


def trace_elsewhere(rules: Rules, matches: Sequence[tuple[int, str]]) -> list[list[str]]:
    """Return the traces of matches in a process with another hash seed, other clocks and another order.

    Raises:
        PluginError: If it cannot play the game.
    """
    conditions = describe_conditions(rules, matches, clock_step_s=CLOCK_STEP_S, order=1)
    return trace_in_process(conditions, hash_seed=1)


def describe_conditions(
    rules: Rules, matches: Sequence[tuple[int, str]], clock_step_s: float = 0.0, order: int = 0
) -> Conditions:
    """Return the conditions of a process that plays matches of a game that `variant` finds by its name."""
    return Conditions(
        variant=rules.name,
        options=dict(rules.overrides),
        matches=tuple(matches),
        clock_step_s=clock_step_s,
        order=order,
    )


def trace_in_process(conditions: Conditions, hash_seed: int) -> list[list[str]]:
    """Return the traces of matches that a new process plays.

    Raises:
        PluginError: If it cannot.
    """
    environment = {
        **os.environ,
        VARIABLE: encode_games(),
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-P", "-m", "arena.play.game_conformance.fresh_process_program"],
        input=msgspec.json.encode(conditions),
        env=environment,
        capture_output=True,
    )
    if done.returncode:
        lines = done.stderr.decode(errors="replace").split("\n")
        cause = next(filter(str.strip, reversed(lines)), f"it ended with status {done.returncode}")
        raise PluginError(f"a new process could not play the game: {cause}")
    return msgspec.json.decode(done.stdout, type=list[list[str]])
