"""A match in a thread of its own, which pauses at the person's decisions and after each deal."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import Any, Literal

from arena.errors import ArenaError
from arena.games import Deal, Rules, View
from arena.games.action import Action
from arena.interactive.hints import HintBot
from arena.interactive.opponents import Opponent
from arena.interactive.seated_match import SeatedMatch
from arena.interactive.table_json import describe_decision, describe_result, describe_table
from arena.output.words.cards import SeatNames
from arena.play import Bot, Info

logger = logging.getLogger(__name__)

Json = dict[str, Any]
Phase = Literal["thinking", "decision", "deal-over", "match-over", "failed"]
Answer = Action | Literal["proceed", "stop"]


class MatchThread(threading.Thread):
    """A match between a person and bots that is played until an answer is needed.

    Args:
        rules: The variant.
        seats: The bot of each seat, None for the person's.
        seed: The seed of the cards and of the bots' randomness.
        publish: Called in the thread at each pause, with this match, the phase and what the person may see.
        played: Actions that were played already, each by its place among the legal ones.
        asked: How many actions had been played at each decision of the person among them.
        deals_shown: Number of deals whose ends the person has seen; None for all that `played` finishes.
        previous: Matches that have to end first, with the processes of their bots.
    """

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[Opponent | None],
        seed: str,
        publish: Callable[[MatchThread, Phase, Json], None],
        played: Sequence[int] = (),
        asked: Sequence[int] = (),
        deals_shown: int | None = None,
        previous: Sequence[MatchThread] = (),
    ) -> None:
        super().__init__(daemon=True, name=f"match of {rules}")
        self.table = SeatedMatch(rules, seats, seed, lambda info: _Person(info, self), played)
        self._at_play = self.table
        self.is_stopped = False
        self._previous = previous
        self.asked = list(asked)
        """Number of actions played before each decision of the person so far."""
        self.view: View | None = None
        """The person's view at the last decision."""
        self._deals_shown = deals_shown
        self._seat = seats.index(None)
        self.names = SeatNames.for_player(self.table.bots, self._seat)
        self._publish = publish
        self._answers: SimpleQueue[Answer] = SimpleQueue()
        self._events_seen = (0, 0)
        """The number of a deal, from 1, and how many of its events the person has seen."""
        self._hint_bot: HintBot | None = None
        self._suggesting = threading.Lock()

    def run(self) -> None:
        for match in self._previous:
            match.join()
        self._previous = ()
        with suppress(KeyboardInterrupt):
            try:
                self._play(self.table)
            except ArenaError as error:
                self._publish(self, "failed", {"problem": str(error)})
                return
            self._publish(self, "match-over", self._describe_deal_over(self.table.match.finished_deals[-1]))

    def answer(self, answer: Answer) -> None:
        """Go on with the person's answer."""
        self._answers.put(answer)

    def stop(self) -> None:
        """End the match, or the one of the rival; the thread ends once the processes of the bots are gone."""
        self.is_stopped = True
        self._at_play.stop()
        self._answers.put("stop")

    def play_rival(self, seats: Sequence[Opponent]) -> SeatedMatch:
        """Play the same cards with a bot at each seat, in this thread, and return that match.

        Raises:
            ArenaError: If the machine cannot start a bot's process.
        """
        table = SeatedMatch(self.table.match.rules, seats, self.table.seed)
        self._play(table)
        return table

    def _play(self, table: SeatedMatch) -> None:
        self._at_play = table
        if self.is_stopped:  # before it could know that it has to stop this one
            raise KeyboardInterrupt
        table.play()

    def suggest(self, view: View) -> Json:
        """Return what a good simple bot would play at a decision, and why."""
        with self._suggesting:
            if self._hint_bot is None:
                rules, players = self.table.match.rules, self.table.match.players
                info = Info.of(rules, seat=self._seat, players=players, key=f"hints {self.table.seed}")
                self._hint_bot = HintBot(info)
            action, reason = self._hint_bot.suggest(view)
        return {"bot": self._hint_bot.name, "action": view.text(action), "reason": reason}

    def describe_faults(self) -> list[str]:
        """Return the faults of the bots so far, in words."""
        counts = Counter([(fault.seat, fault.kind) for fault in self.table.faults])
        return [f"{self.names[seat]}: {kind} ×{times}" for (seat, kind), times in sorted(counts.items())]

    # --- called by the person's player, in the thread ---

    def ask(self, view: View) -> Action:
        """Return the person's action."""
        self.view = view
        self.asked.append(len(self.table.actions_played))
        table = self._describe_table(self.table.match.deal)
        decision = describe_decision(view, self.names)
        answer = self._pause("decision", {"table": table, "decision": decision})
        assert isinstance(answer, Action)
        return answer

    def show_deal(self, number: int) -> None:
        """Show the person a finished deal, unless it was over when a decision after it was taken back."""
        match = self.table.match
        deal = match.finished_deals[number]
        is_last = match.is_over and deal is match.finished_deals[-1]
        shown = self.table.deals_before if self._deals_shown is None else self._deals_shown
        if number >= shown and not is_last and self._seat in deal.opening.order:
            self._pause("deal-over", self._describe_deal_over(deal))

    @contextmanager
    def end_at_error(self) -> Iterator[None]:
        """End the match at an error of ours: the referee would charge it to the person."""
        try:
            yield
        except Exception as error:
            logger.exception("the match cannot be shown")
            self._publish(self, "failed", {"problem": f"{type(error).__name__}: {error}"})
            raise KeyboardInterrupt from error

    def _pause(self, phase: Phase, parts: Json) -> Answer:
        self._publish(self, phase, parts)
        answer = self._answers.get()
        if answer == "stop":
            raise KeyboardInterrupt
        return answer

    def _describe_deal_over(self, deal: Deal) -> Json:
        return {
            "table": self._describe_table(deal),
            "result": describe_result(deal, self._seat, self.names),
        }

    def _describe_table(self, deal: Deal) -> Json:
        """Return the table with the number of events that the person has seen already."""
        table = describe_table(deal, self._seat, self.names)
        number, seen = self._events_seen
        self._events_seen = table["deal"], len(table["events"])
        return {**table, "events_seen": seen if number == table["deal"] else 0}


class _Person(Bot):
    """The person as a player."""

    def __init__(self, info: Info, match: MatchThread) -> None:
        super().__init__(info)
        self._match = match
        self._deals = 0

    def act(self, view: View) -> Action:
        with self._match.end_at_error():
            return self._match.ask(view)

    def deal_over(self, result: dict[str, Any]) -> None:
        self._deals += 1
        with self._match.end_at_error():
            self._match.show_deal(self._deals - 1)
