"""The process that computes a review: it reads a record, and writes what it found as JSON.

`python -m arena.web.review.process` reads one record from standard input. It writes a line `{"share": …}`
now and then, and in the last line the review. It ends when its standard input is closed.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec

from arena.errors import ArenaError
from arena.games import Deal, Rules
from arena.output.words.family_text import get_family_text
from arena.play.actions_of_other_bots import Shadow, Suggestions, suggest_actions
from arena.play.chances import Chances, estimate_strong_chances, make_playout_policies
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import MAX_RECORD_BYTES, decode_record
from arena.plugins import BotSpec, InstalledBot, check_supported

STRONGEST: Final = "expert"
PLAYOUTS: Final = 100
"""Playouts of the heuristic at each step, and the limit on those of the strongest bot."""
PLAYOUTS_OF_MATCH: Final = 20_000
"""Limit on playouts of the heuristic over all steps of a match, above which a step has fewer of them."""
MIN_PLAYOUTS: Final = 20
STRONG_PLAYOUTS_S: Final = 200.0
"""Limit on the time of playouts of the strongest bot."""
REPORT_EVERY_S: Final = 0.5
LOWEST_PRIORITY: Final = 19


class Review(msgspec.Struct, frozen=True):
    """The results of reviewing a match."""

    bot: str
    """The strongest built-in bot of the game, whose playouts and decisions are shown."""
    playouts: int
    """Playouts of this bot at each step; 0 if it is too slow."""
    is_whole: bool
    """True if it plays all deals in them; else the heuristic plays those after the deal in hand."""
    quick_playouts: int
    """Playouts of the heuristic at each step."""
    chances: list[list[Chances]]
    """Chances of the seats by deal and step, with their standard errors."""
    suggestions: list[Suggestions]
    """The actions that the bot would have chosen, by deal and action."""


class ReviewProgress(msgspec.Struct, frozen=True):
    """Progress of a review."""

    share: float
    """Share of the work that is done, 0 to 1."""


def _compute_review(deals: Sequence[Deal], report: Callable[[float], object] = lambda share: None) -> Review:
    """Return the review of a match.

    Args:
        deals: Its finished deals.
        report: Is called with the share of the work that is done.
    """
    rules, players = deals[0].opening.rules, deals[0].opening.players
    shadow = _choose_strongest(rules)
    suggestions = suggest_actions(deals, [shadow])
    steps = sum([len(deal.action_indices) + 1 for deal in deals])
    quick = max(MIN_PLAYOUTS, min(PLAYOUTS, PLAYOUTS_OF_MATCH // steps))
    make_policies = make_playout_policies(shadow.bot, rules, players)
    estimate = estimate_strong_chances(deals, make_policies, quick, STRONG_PLAYOUTS_S, report)
    return Review(shadow.bot.name, estimate.playouts, estimate.is_whole, quick, estimate.chances, suggestions)


def describe_review(review: Review) -> str:
    """Return a sentence about where the numbers of a review are from."""
    quick = f"{review.quick_playouts} playouts of the game's heuristic at each step"
    told = f"The marked decisions are compared with those of {review.bot}."
    if not review.playouts:
        return f"The chances are from {quick}, as {review.bot} takes too long here. {told}"
    how = "the match" if review.is_whole else "the deal in hand, the heuristic those after it"
    return (
        f"The chances are from {review.playouts} playouts at each step, in which {review.bot} plays {how}, "
        f"and {quick} to lessen their error. {told}"
    )


class _Reporter:
    """Writes how far the review is, now and then."""

    def __init__(self) -> None:
        self._next = 0.0

    def report(self, share: float) -> None:
        """Write the share of the work that is done."""
        if (now := monotonic()) >= self._next:
            self._next = now + REPORT_EVERY_S
            write(ReviewProgress(share))


def write(message: ReviewProgress | Review) -> None:
    """Write a message as a line of JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


def _choose_strongest(rules: Rules) -> Shadow:
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
    write(_compute_review(deals, _Reporter().report))
    return 0


def _end_with_server() -> None:
    sys.stdin.buffer.read()
    os._exit(2)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)
