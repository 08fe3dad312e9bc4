"""Findings of the check of a game, and the events that it saw shown to each seat."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.games import View
from arena.games.cards import HIDDEN

# --- problems and counts ---


class Problem(msgspec.Struct, frozen=True):
    """Something wrong with a game, without the match that shows it."""

    kind: str
    """A key of `arena.output.texts.checks.GAME_KIND_TEXT`, such as `shared-copy`."""
    detail: str


class GameIssue(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong with a game, and the shortest match of the check that shows it."""

    kind: str
    detail: str
    players: int
    seed: str
    actions: tuple[str, ...]
    """The actions up to there, as `seat:action`."""
    pack: str = ""
    """The cards of the pack, with spaces between, if it is not the game's own."""
    matches: int = 1
    """Number of matches that show it."""


class Counts(msgspec.Struct):
    """Numbers of what was tried."""

    matches: int = 0
    deals: int = 0
    decisions: int = 0
    replays: int = 0
    """Matches that were played again."""
    actions: int = 0
    """Legal actions that were tried on a copy."""
    copies: int = 0
    redeals: int = 0
    """Views that were compared with those of a deal with other hidden cards."""
    worlds: int = 0
    """Matches drawn by `view.sample`."""
    unsampled: int = 0
    """Positions at which `view.sample` found no world."""
    uniformity_tests: int = 0
    """Positions of which all possible worlds were enumerated."""
    records: int = 0
    fresh_matches: int = 0
    """Matches that were played again in a new process."""


class StageResult(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of examining one property of a game."""

    name: str
    done: int
    """Matches examined, or positions with few cards."""
    total: int
    seconds: float
    issues: tuple[str, ...]
    """Kinds of the issues found first in it."""


class GameFindings(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of one game."""

    game: str
    version: int
    players: tuple[int, ...]
    """Sizes of its tables."""
    counts: Counts
    decisions_per_second: float
    """Random play in this process, with a view a decision."""
    seen_by_others: tuple[str, ...]
    """A line for each kind of event: whether other seats see its cards."""
    notes: tuple[str, ...]
    """Checks that could not be made, with the reason."""
    stages: tuple[StageResult, ...]
    """Stages of the check in order: those of a few matches, then those of the others."""
    matches_left: int
    """Matches that were not played, as the first ones show issues or the time was over."""
    is_out_of_time: bool
    unreached: tuple[str, ...]
    """Places in the game's code that no match has reached, as `MyDeal.draw (lines 80-84)`."""
    issues: tuple[GameIssue, ...]


class IssueLog:
    """Collects problems, and keeps for each kind the shortest match that shows it."""

    def __init__(self) -> None:
        self._shortest: dict[str, GameIssue] = {}
        self._seeds: dict[str, set[str]] = {}

    def add(self, problem: Problem, players: int, seed: str, actions: Sequence[str], pack: str = "") -> None:
        """Add a problem that the match of this seed shows after these actions."""
        seeds = self._seeds.setdefault(problem.kind, set())
        seeds.add(seed)
        known = self._shortest.get(problem.kind)
        if known is None or len(actions) < len(known.actions):
            self._shortest[problem.kind] = GameIssue(
                kind=problem.kind,
                detail=problem.detail,
                players=players,
                seed=seed,
                actions=tuple(actions),
                pack=pack,
            )

    def count(self, kind: str = "") -> int:
        """Return the number of matches that show a kind of problem, or any."""
        kinds = [kind] if kind else self._seeds
        return len(set().union(*(self._seeds.get(key, set()) for key in kinds)))

    def kinds(self) -> list[str]:
        """Return the kinds of problems seen, in the order in which they were seen first."""
        return [*self._shortest]

    def issues(self) -> tuple[GameIssue, ...]:
        """Return the issues, in the order in which they were seen first."""
        return tuple(
            msgspec.structs.replace(issue, matches=len(self._seeds[kind]))
            for kind, issue in self._shortest.items()
        )


# --- event visibility ---
# Cards that other seats see in each kind of event, for the author to compare with the rules.


class EventVisibility:
    """Collects, by kind of event, whether its cards were shown to other seats, and which action it was."""

    def __init__(self) -> None:
        self._found: dict[str, set[str]] = {}
        self._texts: dict[str, set[str]] = {}

    def add(self, view: View) -> None:
        """Add what a view after a deal shows of the events of others and of the table."""
        for event in view.past:
            if event.seat != view.seat:
                visibility = self._found.setdefault(event.action.kind, set())
                self._texts.setdefault(event.action.kind, set()).add(event.action.template)
                visibility.update("hidden" if card is HIDDEN else "shown" for card in event.cards)

    def lines(self) -> tuple[str, ...]:
        """Return a text for each kind of event."""
        return tuple(
            f"{kind}: {_describe(visibility, len(self._texts[kind]))}"
            for kind, visibility in sorted(self._found.items())
        )


def _describe(visibility: set[str], texts: int) -> str:
    if len(visibility) == 2:
        return "some cards shown, some hidden"
    if visibility:
        return f"cards {min(visibility)}"
    return "no cards" if texts == 1 else f"which of {texts} is shown"
