"""Matches, counts and issues of a check of a game so far; all its stages share them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from arena.errors import ArenaError
from arena.games import Rules, check_name
from arena.play.game_conformance.deadline import Deadline
from arena.play.game_conformance.event_visibility_report import EventVisibility
from arena.play.game_conformance.findings import Counts, IssueLog, Problem
from arena.play.game_conformance.random_match import GameFailed, MatchLog, MatchPlan
from arena.play.game_conformance.unreached_code import LineTracer, list_lines
from arena.play.game_conformance.view_comparison import Observe

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

    def __init__(self, rules: Rules, observe: Observe | None) -> None:
        self.rules = rules
        self.observe = observe
        smallest, largest = rules.players[0], rules.players[-1]
        usual = min(max(USUAL_PLAYERS, smallest), largest)
        self._sizes = sorted({smallest, min(smallest + 1, largest), usual})
        self.logs: list[MatchLog] = []
        self.issues = IssueLog()
        self.counts = Counts()
        self.seen_by_others = EventVisibility()
        self.notes: list[str] = []
        self.play_seconds = 0.0
        self.is_random = False
        self.is_named = self._find_name()
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


Stage = Callable[[CheckState, Iterable[MatchLog], Deadline], int]
"""Examines a property in matches until the deadline, and returns in how many."""


class Property(NamedTuple):
    """A property of a game that a check examines."""

    name: str
    share: float
    """Part of the time left that it may take."""
    examine: Stage
    is_traced: bool = True
    """Whether the lines of the game that it reaches are noted."""
