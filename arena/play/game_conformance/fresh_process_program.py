"""The program of a fresh process, which plays matches of a check again; `fresh_process` starts it."""

from __future__ import annotations

import sys

import msgspec

from arena.errors import PluginError
from arena.game_source_files import import_game
from arena.games import variant
from arena.installed import find_games, is_path
from arena.play.game_conformance.fresh_process import Conditions, trace_matches
from arena.play.game_conformance.patched_clock import freeze_clocks


def main() -> None:
    """Read conditions, play the matches, and write their traces."""
    output, sys.stdout = sys.stdout.buffer, sys.stderr  # what the game prints is no answer
    conditions = msgspec.json.decode(sys.stdin.buffer.read(), type=Conditions)
    clock = freeze_clocks()
    try:
        for place in filter(is_path, find_games().values()):
            import_game(place)  # which says why one does not load; it may keep clocks
    except PluginError as error:
        sys.exit(" ".join(str(error).split()))  # its last line is what is shown
    rules = variant(conditions.variant, **conditions.options)

    def advance() -> None:
        clock.now += conditions.clock_step_s

    traces = trace_matches(rules, conditions.matches, conditions.order, advance)
    output.write(msgspec.json.encode(traces))
    output.flush()


if __name__ == "__main__":
    main()
