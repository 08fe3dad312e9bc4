"""The process that computes a review: it reads a record, and writes what it found as JSON.

`python -m arena.web.review.process` reads one record from standard input. It writes a line `{"done": …,
"steps": …}` now and then, and in the last line the review. It ends when its standard input is closed.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec

from arena.errors import ArenaError
from arena.games import Deal, Rules
from arena.output.words.family_text import get_family_text
from arena.play.placing_chances import Chances, estimate_chances
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import MAX_RECORD_BYTES, decode_record
from arena.play.suggested_actions import Shadow, Suggestions, suggest_actions
from arena.plugins import BotSpec, InstalledBot, check_supported

STRONGEST: Final = "expert"
MAX_PLAYOUTS: Final = 100
MIN_PLAYOUTS: Final = 10
MAX_PLAYOUTS_OF_MATCH: Final = 10_000
"""Limit on playouts over all steps of a match, above which a step has fewer of them."""
REPORT_EVERY_S: Final = 0.5
LOWEST_PRIORITY: Final = 19


class Review(msgspec.Struct, frozen=True):
    """The results of reviewing a match."""

    playouts: int
    """Playouts of each step."""
    chances: list[list[Chances]]
    """Chances of the seats by deal and step, with their standard errors."""
    others: list[str]
    """Bots that were asked what they would have done."""
    suggestions: list[Suggestions]
    """Their answers by deal and action."""


class Progress(msgspec.Struct, frozen=True):
    """Progress of a review."""

    done: int
    steps: int


def compute_review(deals: Sequence[Deal], report: Reporter) -> Review:
    """Return the review of a match.

    Args:
        deals: Its finished deals.
        report: Is called after each step.
    """
    steps = count_steps(deals)
    playouts = max(MIN_PLAYOUTS, min(MAX_PLAYOUTS, MAX_PLAYOUTS_OF_MATCH // steps))
    shadow = _choose_shadow(deals[0].opening.rules)
    suggestions = suggest_actions(deals, [shadow])
    return Review(playouts, estimate_chances(deals, playouts, report.count), [shadow.bot.name], suggestions)


def count_steps(deals: Sequence[Deal]) -> int:
    """Return the steps of a match: its actions, and the beginning of each deal."""
    return sum([len(deal.action_indices) + 1 for deal in deals])


class Reporter:
    """Writes how far the review is."""

    def __init__(self, steps: int) -> None:
        self._steps, self._done, self._next = steps, 0, 0.0

    def count(self) -> None:
        """Count a step."""
        self._done += 1
        if (now := monotonic()) >= self._next:
            self._next = now + REPORT_EVERY_S
            write(Progress(self._done, self._steps))


def write(message: Progress | Review) -> None:
    """Write a message as a line of JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


def _choose_shadow(rules: Rules) -> Shadow:
    """Return the strongest built-in bot that plays a game."""
    source = InstalledBot.parse(STRONGEST, Path())
    try:
        check_supported(STRONGEST, source.variants(), [rules])
    except ArenaError:
        source = InstalledBot.parse(get_family_text(rules).recommended_bots(rules)[0], Path())
    return Shadow(BotSpec(source, str(source)), "inline")


def main() -> int:
    """Review the record on standard input; return 1 if that is not possible."""
    if hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)
    line = sys.stdin.buffer.readline(MAX_RECORD_BYTES)
    threading.Thread(target=_end_with_server, daemon=True).start()
    try:
        deals = replay_record(decode_record(line))
    except ArenaError as error:
        print(f"review: {error}", file=sys.stderr)  # noqa: T201
        return 1
    write(compute_review(deals, Reporter(count_steps(deals))))
    return 0


def _end_with_server() -> None:
    sys.stdin.buffer.read()
    os._exit(2)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)
