"""Matches of a person against the same bots, each on cards of its own, and the score so far."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arena.errors import ArenaError
from arena.games import Rules
from arena.interactive.browser_session import BrowserSession, OutdatedStep
from arena.interactive.seated_match import MatchThread, Opponent
from arena.interactive.table import ComparedMatch, compare_results, find_unit, sum_results

Json = dict[str, Any]
MAX_MATCHES: Final = 100
"""Limit on matches of a series, which take up to 150 kB each."""


@dataclass(frozen=True, kw_only=True)
class SeriesSetup:
    """Settings that all matches of a series share.

    Args:
        rules: The variant.
        opponents: The bots at the other seats.
        seat: The person's seat.
        rival: The bot that plays the cards of each match after the person; None for none.
        may_take_back: Decisions may be taken back.
        is_guided: In the first deal the page says what actions do, and hints without being asked.
    """

    rules: Rules
    opponents: Sequence[Opponent]
    seat: int = 0
    rival: Opponent | None = None
    may_take_back: bool = False
    is_guided: bool = False

    @property
    def max_bots(self) -> int:
        """The number of bots at a time, at most: those of a match, and the rival on the same cards."""
        return len(self.opponents) + (self.rival is not None)

    def begin(self, seed: str, first_step: int, previous: Sequence[MatchThread] = ()) -> BrowserSession:
        """Begin a match, once others have ended."""
        return BrowserSession(
            self.rules,
            self.opponents,
            self.seat,
            seed,
            rival=self.rival,
            may_take_back=self.may_take_back,
            first_step=first_step,
            previous=previous,
        )


class MatchSeries:
    """A match, and then others with the same bots.

    Args:
        setup: What stays the same.
        seed: The seed of the first match.
        save: Is given each finished match as its number, from 1, and its record; again if its end was taken
            back.
        previous: Matches of other tables whose bots have to be gone before those of the first match start.
    """

    def __init__(
        self,
        setup: SeriesSetup,
        seed: str,
        save: Callable[[int, bytes], object] | None = None,
        previous: Sequence[MatchThread] = (),
    ) -> None:
        self.setup = setup
        self.session = setup.begin(seed, 1, previous)
        self.records: list[bytes] = []
        """Records of the matches before this one."""
        self._save = save
        self._saved_step = 0
        self._beginning = threading.Lock()
        self._past: list[BrowserSession] = []
        """The matches before this one; the rival may still play the last of them."""

    async def wait(self, after: int, timeout_s: float) -> Json:
        """Return the state of the match and the score, see `BrowserSession.wait`."""
        state = await self.session.wait(after, timeout_s)
        if state["phase"] == "match-over" and state["step"] > self._saved_step:
            self._saved_step = state["step"]
            self._save_record()
        return {**state, "match": len(self._past) + 1, "score": self.describe_score()}

    def begin_next(self, step: int, seed: str) -> None:
        """Begin another match on new cards once this one is over.

        Raises:
            OutdatedStep: If it is not, or another has begun already.
            ArenaError: If the table has played enough: it keeps all its matches.
        """
        with self._beginning:
            session = self.session
            if step != session.step or session.phase != "match-over":
                raise OutdatedStep("the match has gone on since: this is how it stands")
            if len(self._past) + 1 >= MAX_MATCHES:
                raise ArenaError(f"this table has played {MAX_MATCHES} matches: sit down at another one")
            record = session.encode_record()
            assert record is not None
            self.records.append(record)
            self._past.append(session)
            self.session = self.setup.begin(seed, step + 1, [session.match])

    def describe_score(self) -> Json:
        """Return the results of the finished matches, and in words how they compare with the rival's."""
        sessions = [*self._past, *([self.session] if self.session.own_result is not None else [])]
        results = [_describe_result(session) for session in sessions]
        pairs, unit = self._find_pairs(), self._unit
        words = []
        if pairs and results[-1]["rival"] is pairs[-1][1]:
            words.append(compare_results(unit, *pairs[-1]))
        if len(pairs) > 1:
            words.append(sum_results(unit, pairs))
        return {"results": results, "words": words}

    def list_compared(self) -> list[ComparedMatch]:
        """Return the matches that the rival has played, too."""
        game = str(self.setup.rules)
        return [ComparedMatch(game, self._unit, *results) for results in self._find_pairs()]

    def _find_pairs(self) -> list[tuple[Json, Json]]:
        """Return the results of person and rival of each match that both have finished."""
        results = [(session.own_result, session.rival_result) for session in [*self._past, self.session]]
        return [(own, rival) for own, rival in results if own and rival and "payoff" in rival]

    @property
    def _unit(self) -> str:
        return find_unit(self.setup.rules.settlement.initial_holdings(len(self.setup.opponents) + 1))

    def finished_records(self) -> list[bytes]:
        """Return the records of all matches that are over: a record has the seed of all cards."""
        current = self.session.encode_record() if self.session.phase == "match-over" else None
        return self.records if current is None else [*self.records, current]

    def close(self) -> None:
        """Save the finished deals of the current match and end all play."""
        with self._beginning:
            if self.session.phase != "match-over":
                self._save_record()
            for session in [*self._past, self.session]:
                session.close()

    def _save_record(self) -> None:
        record = self.session.encode_record()
        if self._save is not None and record is not None:
            self._save(len(self._past) + 1, record)


def _describe_result(session: BrowserSession) -> Json:
    return {
        "own": session.own_result,
        "rival": session.rival_result,
        "hints": session.hints_used,
        "taken_back": session.taken_back,
    }
