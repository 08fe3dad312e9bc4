"""Matches of a check played again in a new process, and what in a game makes them go otherwise."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.errors import PluginError
from arena.game_source_files import import_game
from arena.games import Rules, variant
from arena.installed import VARIABLE, encode_games, find_games, is_path
from arena.play.game_conformance.findings import Problem
from arena.play.game_conformance.matches import (
    GameFailed,
    MatchLog,
    MatchPlan,
    format_value,
    play_logged,
    view_facts,
)
from arena.play.game_conformance.positions import Line

# --- traces ---

ACTION: Final = "action "
"""Start of the line of an action in a trace."""
Matches = Sequence[tuple[int, str]]
"""Players and seed of each match."""
Task = tuple[str, dict[str, Any], list[tuple[int, str]]]
"""Input of a new process: the game's name, its options, and the matches."""


def trace_matches(rules: Rules, matches: Matches) -> list[list[str]]:
    """Play random matches and return, by match, what each decision shows, each action and each deal."""
    return [trace_match(MatchPlan(rules, *match)) for match in matches]


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


# --- new process ---


def trace_in_process(rules: Rules, matches: Matches, hash_seed: int) -> list[list[str]]:
    """Return the traces of matches that a new process plays, the last match first.

    Raises:
        PluginError: If it cannot play the game, which it finds by its name.
    """
    environment = {
        **os.environ,
        VARIABLE: encode_games(),
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"from {__name__} import main; main()"],
        input=msgspec.json.encode((rules.name, rules.overrides, matches[::-1])),
        env=environment,
        capture_output=True,
    )
    if done.returncode:
        lines = done.stderr.decode(errors="replace").split("\n")
        cause = next(filter(str.strip, reversed(lines)), f"it ended with status {done.returncode}")
        raise PluginError(f"a new process could not play the game: {cause}")
    return msgspec.json.decode(done.stdout, type=list[list[str]])[::-1]


def main() -> None:
    """Read a task, play its matches, and write their traces: the program of a new process."""
    output, sys.stdout = sys.stdout.buffer, sys.stderr  # what the game prints is no answer
    name, options, matches = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    try:
        for place in filter(is_path, find_games().values()):
            import_game(place)  # which says why one does not load
    except PluginError as error:
        sys.exit(" ".join(str(error).split()))  # its last line is what is shown
    output.write(msgspec.json.encode(trace_matches(variant(name, **options), matches)))
    output.flush()


# --- clocks and random numbers ---

SOURCES: Final = {
    "time": "clock",
    "datetime": "clock",
    "uuid": "not-repeated",
    "secrets": "not-repeated",
    "os.urandom": "not-repeated",
}
"""Modules and functions that differ each time, with the kind of problem of a game that uses them."""


def find_source(lines: Iterable[Line], *, is_everywhere: bool = False) -> Problem | None:
    """Return the first use of a clock, or of random numbers of the system, in a game.

    Args:
        lines: Lines of the game by which matches go.
        is_everywhere: Look also at all other lines of their files.
    """
    files: dict[str, set[int]] = {}
    for code, number in lines:
        files.setdefault(code.co_filename, set()).add(number)
    for file, numbers in sorted(files.items()):
        for number, text, kind in _find_uses(Path(file)):
            if is_everywhere or number in numbers:
                return Problem(kind, f"{Path(file).name}, line {number}: {text}")
    return None


def _find_uses(file: Path) -> list[tuple[int, str, str]]:
    """Return the uses of `SOURCES` in a file by line, each with its text and its kind."""
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (OSError, SyntaxError):  # it was changed meanwhile
        return []
    imported = dict(pair for node in nodes for pair in _imported_names(node))
    uses = []
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute):
            text = ast.unparse(node)
            head, dot, rest = text.partition(".")
            path = f"{imported.get(head, '')}{dot}{rest}."
            uses += [
                (node.lineno, text, kind) for source, kind in SOURCES.items() if path.startswith(f"{source}.")
            ]
    return sorted(uses, key=lambda use: use[0])  # of one line, the whole name comes first


def _imported_names(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that a statement imports, each with what it is."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            name = alias.name if alias.asname or module else alias.name.partition(".")[0]
            yield alias.asname or name, module + name
