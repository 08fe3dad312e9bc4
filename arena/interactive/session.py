"""Matches with a person in a browser: one match, and a series."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from arena.errors import ArenaError
from arena.games import Rules
from arena.games.action import Action
from arena.interactive.seated_match import MatchThread, Opponent, Phase, SeatedMatch
from arena.interactive.table import ComparedMatch, Json, compare_results, find_unit, sum_results
from arena.interactive.terminal_match import format_own_placing
from arena.tournament.schedule import make_seed

# --- one match ---
# Every state has a number, its step. An answer names the step it is meant for, so that one sent twice, or
# from a page that is out of date, changes nothing.


class OutdatedStep(ArenaError):
    """The match has gone on since the state that an answer is meant for."""


class _Line(NamedTuple):
    """The course of a match before decisions were taken back."""

    actions: list[int]
    """Each action by its place among the legal ones."""
    asked: list[int]
    """Number of actions played before each decision of the person."""


class BrowserSession:
    """A match between a person and bots, and then the same cards with another bot at the person's seat.

    Args:
        rules: The variant.
        opponents: The bots at the other seats.
        seat: The person's seat.
        seed: The same seed deals the same cards.
        rival: The bot that plays the same cards when the match is over; None for none.
        may_take_back: Decisions may be taken back.
        first_step: The number of the first state.
        previous: Matches whose bots have to be gone before those of this one start.
        match_class: How matches are played.
    """

    def __init__(
        self,
        rules: Rules,
        opponents: Sequence[Opponent],
        seat: int,
        seed: str,
        *,
        rival: Opponent | None = None,
        may_take_back: bool = False,
        first_step: int = 1,
        previous: Sequence[MatchThread] = (),
        match_class: type[MatchThread] = MatchThread,
    ) -> None:
        self.rules, self.seat, self.seed = rules, seat, seed
        self.may_take_back = may_take_back
        self.step = first_step
        self.phase: Phase = "thinking"
        self.hints_used = self.taken_back = 0
        self.own_result: Json | None = None
        """Place and payoff of the person once the match is over."""
        self.rival_result: Json | None = None
        """The same of the rival on the same cards, once it has played."""
        self._over_step: int | None = None
        """The step at which the match was over, before the rival's result came."""
        self._rival, self._match_class = rival, match_class
        self._seats = [*opponents[:seat], None, *opponents[seat:]]
        self._line = _Line([], [])
        self.match: MatchThread
        """The match as it is played now; another after a decision was taken back."""
        self._parts: Json = {}
        """Fields of the state beside its step and phase."""
        self._lock = threading.Lock()
        self._wakers: list[Callable[[], object]] = []
        """Called at the next state, in any thread."""
        with self._lock:
            self.match = self._begin(previous)

    def _begin(
        self,
        previous: Sequence[MatchThread],
        played: Sequence[int] = (),
        asked: Sequence[int] = (),
        deals_shown: int | None = None,
    ) -> MatchThread:
        """Begin the match after the actions `played`, once others have ended; the caller holds the lock."""
        where = self.rules, self._seats, self.seed
        match = self._match_class(
            *where, self._publish, self._play_rival, played, asked, deals_shown, previous
        )
        match.start()
        return match

    async def wait(self, after: int, timeout_s: float) -> Json:
        """Return the state once no bot is to act, or the time is up; nobody waits in a thread for that.

        While the rival plays, wait also until the step is larger than `after`; otherwise only an answer
        of the person changes the state.
        """
        loop, changed = asyncio.get_running_loop(), asyncio.Event()
        wake = partial(loop.call_soon_threadsafe, changed.set)
        try:
            async with asyncio.timeout(timeout_s):
                while not self._is_settled(after, wake):
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            pass
        finally:
            self._forget(wake)
        return self.describe_state()

    def describe_state(self) -> Json:
        """Return the state as it is now."""
        with self._lock:
            can_take_back = self.phase != "thinking" and self._last_asked() is not None
            state = {"step": self.step, "phase": self.phase, "can_take_back": can_take_back, **self._parts}
            if self.own_result is not None:
                state["rival_plays"] = self._is_rival_at_play
            return state

    def _is_settled(self, after: int, wake: Callable[[], object]) -> bool:
        """Return whether nobody has to wait for another state; else have `wake` called at the next one."""
        with self._lock:
            if self.phase != "thinking" and (self.step > after or not self._is_rival_at_play):
                return True
            self._wakers.append(wake)
            return False

    def _forget(self, wake: Callable[[], object]) -> None:
        with self._lock, suppress(ValueError):
            self._wakers.remove(wake)

    @property
    def _is_rival_at_play(self) -> bool:
        is_over = self.own_result is not None
        return is_over and self._rival is not None and self.rival_result is None

    def act(self, step: int, text: str) -> None:
        """Answer a decision with an action in notation.

        If it is the answer that was taken back, the match goes on as it did then, up to the next decision of
        the person: bots that draw at random would decide otherwise now.

        Raises:
            OutdatedStep: If the match has moved on.
            InvalidNotation: If the text is not an action.
            IllegalAction: If the action is not legal.
        """
        with self._lock:
            self.check(step, "decision")
            before = self.match
            assert before.view is not None
            action = before.view.parse(text)
            position = self._find_next_known(action)
            if position is None:
                self._resume(action)
                return
            asked = [place for place in self._line.asked if place < position]
            self._set("thinking", self._parts)
            before.stop()
            shown = len(before.table.match.finished_deals)
            self.match = self._begin([before], self._line.actions[:position], asked, shown)

    def proceed(self, step: int) -> None:
        """Go on after a deal.

        Raises:
            OutdatedStep: If the match has moved on.
        """
        with self._lock:
            self.check(step, "deal-over")
            self._resume("proceed")

    def take_back(self, step: int) -> None:
        """Return to the person's decision before this state.

        Raises:
            OutdatedStep: If the match has moved on.
            ArenaError: If there is no decision to return to, or it may not be taken back.
        """
        with self._lock:
            self.check(step, "decision", "deal-over", "match-over")
            before, position = self.match, self._last_asked()
            if position is None:
                raise ArenaError("there is no decision that can be taken back")
            asked = before.asked[: before.asked.index(position)]
            actions = before.table.actions_played
            if self._line.actions[: len(actions)] != actions:
                self._line = _Line(actions, before.asked)
            self.taken_back += 1
            self.own_result = self.rival_result = None
            self._set("thinking", self._parts)
            before.stop()  # which may still play the rival
            self.match = self._begin([before], before.table.actions_played[:position], asked)

    def hint(self, step: int) -> Json:
        """Return what a good simple bot would play, and why.

        Raises:
            OutdatedStep: If the match has moved on.
        """
        with self._lock:
            self.check(step, "decision")
            self.hints_used += 1
            match, view = self.match, self.match.view
        assert view is not None
        return match.suggest(view)  # which may take long

    def encode_record(self) -> bytes | None:
        """Return the finished deals as a record; None if there are none, or while the bots play."""
        with self._lock:
            return None if self.phase == "thinking" else self.match.table.encode_record()

    def close(self) -> None:
        """End all play for good, without waiting for it."""
        with self._lock:
            self._set("failed", {"problem": "This table was closed."})
            self.match.stop()

    def _find_next_known(self, action: Action) -> int | None:
        """Return how many actions had been played at the decision after an answer that was taken back.

        None, if this was not the answer.
        """
        table, position = self.match.table, self.match.asked[-1]
        known = self._line.actions
        if len(known) <= position or known[:position] != table.actions_played[:position]:
            return None
        if table.match.deal.legal_actions.index.get(action) != known[position]:
            return None
        return next((place for place in self._line.asked if place > position), len(known))

    def _last_asked(self) -> int | None:
        """Return how many actions had been played at the decision that would be taken back."""
        asked = self.match.asked[: -1 if self.phase == "decision" else None]
        return asked[-1] if asked and self.may_take_back else None

    def check(self, step: int, *phases: Phase) -> None:
        """Refuse an answer to another state; the rival's result may have come since the match was over.

        Raises:
            OutdatedStep: If the match has moved on, or is in none of the phases.
        """
        is_over = self.phase == "match-over"
        if self.phase not in phases or not (step == self.step or (is_over and step == self._over_step)):
            raise OutdatedStep("the match has gone on since: this is how it stands")

    def _resume(self, answer: Any) -> None:
        self._set("thinking", self._parts)
        self.match.answer(answer)

    def _set(self, phase: Phase, parts: Json) -> None:
        """Begin the next state; the caller holds the lock."""
        self.phase, self._parts = phase, parts
        self.step += 1
        wakers, self._wakers = self._wakers, []
        for wake in wakers:
            wake()

    def _publish(self, match: MatchThread, phase: Phase, parts: Json) -> None:
        """Take a state of the match, in its thread; of one that was taken back or closed, ignore it."""
        with self._lock:
            if match is not self.match or match.is_stopped:
                return
            if phase == "match-over":
                self.own_result = self._describe_outcome(match.table)
                parts = {**parts, "end": self._describe_end(match)}
                self._over_step = self.step + 1
            self._set(phase, parts)

    def _play_rival(self, match: MatchThread) -> None:
        """Play the same cards with the rival once a match is over."""
        rival = self._rival
        if rival is None or match is not self.match:
            return
        try:
            table = match.play_rival([rival if seat is None else seat for seat in self._seats])
            result = {"bot": rival.bot.name, **self._describe_outcome(table)}
        except ArenaError as error:
            result = {"bot": rival.bot.name, "problem": str(error)}
        with self._lock:
            if match is self.match and not match.is_stopped:
                self.rival_result = result
                self._set("match-over", self._parts)

    def _describe_outcome(self, table: SeatedMatch) -> Json:
        match, seat = table.match, self.seat
        return {"placing": match.placings[seat], "payoff": match.payoffs[seat]}

    def _describe_end(self, match: MatchThread) -> Json:
        played, names = match.table.match, match.names.by_seat
        rows = sorted(zip(played.placings, range(played.players), played.payoffs, strict=True))
        return {
            "summary": format_own_placing(played.placings, self.seat),
            "rows": [
                {"placing": placing, "seat": seat, "name": names[seat], "payoff": payoff}
                for placing, seat, payoff in rows
            ],
            "faults": match.describe_faults(),
        }


# --- series ---
# Each match is on cards of its own; the score so far is kept.

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
        match_class: How matches are played: in a thread, or step by step where there are none.
    """

    rules: Rules
    opponents: Sequence[Opponent]
    seat: int = 0
    rival: Opponent | None = None
    may_take_back: bool = False
    is_guided: bool = False
    match_class: type[MatchThread] = MatchThread

    @property
    def max_bots(self) -> int:
        """The number of bots at a time, at most: those of a match, and the rival on the same cards."""
        return len(self.opponents) + (self.rival is not None)

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return find_unit(self.rules.settlement.initial_holdings(len(self.opponents) + 1))

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
            match_class=self.match_class,
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
        await self.session.wait(after, timeout_s)
        return self.describe()

    def describe(self) -> Json:
        """Return the state of the match as it is now, and the score."""
        state = self.session.describe_state()
        if state["phase"] == "match-over" and state["step"] > self._saved_step:
            self._saved_step = state["step"]
            self._save_record()
        return {**state, "match": len(self._past) + 1, "score": self.describe_score()}

    def take(self, kind: str, step: int, action: str = "") -> Json | None:
        """Go on as an answer says; return the hint if it asks for one.

        Raises:
            OutdatedStep: If the match has moved on.
            ArenaError: If there is no such answer, or it cannot be given now.
        """
        match kind:
            case "act":
                self.session.act(step, action)
            case "proceed":
                self.session.proceed(step)
            case "hint":
                return self.session.hint(step)
            case "take-back":
                self.session.take_back(step)
            case "next-match":
                self.begin_next(step, make_seed())
            case _:
                raise ArenaError(f"There is no answer called {kind[:40]!r}.")
        return None

    def begin_next(self, step: int, seed: str) -> None:
        """Begin another match on new cards once this one is over.

        Raises:
            OutdatedStep: If it is not, or another has begun already.
            ArenaError: If the table has played enough: it keeps all its matches.
        """
        with self._beginning:
            session = self.session
            session.check(step, "match-over")
            if len(self._past) + 1 >= MAX_MATCHES:
                raise ArenaError(f"this table has played {MAX_MATCHES} matches: sit down at another one")
            record = session.encode_record()
            assert record is not None
            self.records.append(record)
            self._past.append(session)
            self.session = self.setup.begin(seed, session.step + 1, [session.match])

    def describe_score(self) -> Json:
        """Return the results of the finished matches, and in words how they compare with the rival's."""
        sessions = [*self._past, *([self.session] if self.session.own_result is not None else [])]
        results = [_describe_result(session) for session in sessions]
        pairs, unit = self._find_pairs(), self.setup.unit
        words = []
        if pairs and results[-1]["rival"] is pairs[-1][1]:
            words.append(compare_results(unit, *pairs[-1]))
        if len(pairs) > 1:
            words.append(sum_results(unit, pairs))
        return {"results": results, "words": words}

    def list_compared(self) -> list[ComparedMatch]:
        """Return the matches that the rival has played, too."""
        game = str(self.setup.rules)
        return [ComparedMatch(game, self.setup.unit, *results) for results in self._find_pairs()]

    def _find_pairs(self) -> list[tuple[Json, Json]]:
        """Return the results of person and rival of each match that both have finished."""
        results = [(session.own_result, session.rival_result) for session in [*self._past, self.session]]
        return [(own, rival) for own, rival in results if own and rival and "payoff" in rival]

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
