"""A match with a person in a seat: its opponents, and the thread that plays it."""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, combinations
from queue import SimpleQueue
from typing import Any, Final, Literal, NamedTuple

from arena.columns.number_format import format_count
from arena.errors import ArenaError, ConfigError, InvalidRules
from arena.games import Deal, Match, Rules, View
from arena.games.action import Action
from arena.interactive.person import HintBot
from arena.interactive.table import (
    Json,
    describe_decision,
    describe_result,
    describe_steps,
    describe_table,
)
from arena.output.words.family_text import get_family_text
from arena.output.words.seat_names import SeatNames
from arena.play import Bot, Info, Limits, LocalPlayer
from arena.play.bot import BotFactory, make_factory
from arena.play.bot_processes import (
    BotProcess,
    MatchEncoder,
    MatchJob,
    ProcessKey,
    ProcessPool,
    RemotePlayer,
    make_launch_spec,
    play_jobs,
)
from arena.play.faults import HostUnavailable
from arena.play.isolation import LEVELS, Level, LevelSelector
from arena.play.players import Fault, Player
from arena.play.records.match_to_record import to_record
from arena.play.records.record_schema import encode_record
from arena.play.referee import MatchSteps, step_match
from arena.play.single_match import derive_bot_key
from arena.plugins import BotSpec
from arena.tournament.setup.command_line import parse_bot_with_settings

# --- opponents ---

DEFAULT_PLAYERS: Final = 4


class Opponent(NamedTuple):
    """A bot and the isolation level it runs at."""

    bot: BotSpec
    level: Level


def choose_opponents(
    rules: Rules, names: Sequence[str], players: int | None, isolation: str
) -> list[Opponent]:
    """Return the bots of the other seats: those named, else recommended ones, repeated to fill the table.

    A name may have settings, as in `rollout(playouts=40)`.

    `players` None means as many seats as the bots need, or four.

    Raises:
        ConfigError: For too many bots or an unavailable isolation level.
        PluginError: For an unknown bot.
        InvalidRules: For too many players.
    """
    if players is None:
        players = len(names) + 1 if names else min(DEFAULT_PLAYERS, rules.players[-1])
    if players not in rules.players:
        raise InvalidRules(f"{rules} cannot be dealt to {players}: {rules.explain_player_limit(players)}")
    if len(names) >= players:
        seats = format_count(players - 1, "bots")
        raise ConfigError(f"at a table of {players} there is room for {seats}, not {len(names)}")
    bots = [parse_bot_with_settings(name) for name in names or get_family_text(rules).recommended_bots(rules)]
    for bot, other in combinations(bots, 2):
        if bot.name == other.name and bot.source != other.source:
            raise ConfigError(f"{bot.source} and {other.source} have the same name {bot.name}: leave one out")
    selector = LevelSelector()
    field = [Opponent(bot, selector.select(bot.source.kind, isolation)) for bot in bots]
    for bot, level in field:
        selector.refuse_confinement(bot.name, bot.source, level)
    return [field[place % len(field)] for place in range(players - 1)]


# --- match ---
# Each bot plays at its isolation level.

PERSON: Final = "person"
"""The person's name in the record."""


class SeatedMatch:
    """A match of bots and, where `seats` has None, a person; the same seed deals the same cards.

    Args:
        rules: The variant.
        seats: The bot of each seat, None for the person's.
        seed: The seed of the cards and of the bots' randomness.
        person: Makes the player of the person's seat.
        played: Actions that are played before anybody is asked, each by its place among the legal ones.

    Raises:
        InvalidRules: If the variant does not allow so many players.
        PluginError: If a bot cannot be loaded.
    """

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[Opponent | None],
        seed: str,
        person: BotFactory | None = None,
        played: Sequence[int] = (),
    ) -> None:
        self.seed = seed
        self.match = rules.match(len(seats), seed)
        self.deals_before = 0
        """Number of deals finished before anybody was asked."""
        self.bots = [seat.bot.name if seat else PERSON for seat in seats]
        self._seats = seats
        self._played = played
        self._factories = [
            person
            if seat is None
            else None
            if LEVELS[seat.level].has_process
            else make_factory(seat.bot.source.load())
            for seat in seats
        ]
        self.launch_specs = {
            seat.bot.name: make_launch_spec(seat.bot, seat.level)
            for seat in seats
            if seat and LEVELS[seat.level].has_process
        }
        self._players: Sequence[Player] = ()
        self._pool = ProcessPool(self.launch_specs, Limits(), max_running=len(seats))

    def play(self) -> None:
        """Play until the match is over, or until the person leaves or `stop`, which raise KeyboardInterrupt.

        The processes of the bots are gone when it returns or raises.

        Raises:
            ArenaError: If the machine cannot start a bot's process.
        """
        copies: Counter[str] = Counter()
        keys = []
        for name, factory in zip(self.bots, self._factories, strict=True):
            if factory is None:
                keys.append(ProcessKey(name, 0, copies[name]))
                copies[name] += 1
        job = MatchJob(
            tuple(keys), self._seat_players, lambda match, players: None, self._steps, can_repeat=False
        )
        try:
            play_jobs([job], self._pool)
        except HostUnavailable as error:
            raise ArenaError(str(error)) from error
        finally:
            self._pool.close()

    def begin_steps(self) -> MatchSteps:
        """Begin the match where all bots are in this process; return its steps, see `step_match`."""
        return self._steps(*self._seat_players([], MatchEncoder(self._pool.symbols)))

    def stop(self) -> None:
        """End `play` in another thread, also while a bot with a process of its own thinks."""
        self._pool.stop()

    @property
    def faults(self) -> list[Fault]:
        """The faults of all seats so far, by seat."""
        return list(chain.from_iterable([player.faults for player in self._players]))

    @property
    def actions_played(self) -> list[int]:
        """The actions of the match so far, each by its place among the legal ones."""
        deals = [*self.match.finished_deals, *([] if self.match.is_over else [self.match.deal])]
        return list(chain.from_iterable([deal.action_indices for deal in deals]))

    def find_deal(self, number: int) -> Deal:
        """Return a deal of the match by its number, from 0."""
        finished = self.match.finished_deals
        return finished[number] if number < len(finished) else self.match.deal

    def encode_record(self) -> bytes | None:
        """Return the finished deals as a record, without a newline; None if there are none."""
        finished = len(self.match.finished_deals)
        if not finished:
            return None
        faults = [fault for fault in self.faults if fault.deal < finished]
        return encode_record(to_record(self.match, bots=self.bots, seed=self.seed, faults=faults))

    def _steps(self, match: Match, players: Sequence[Player]) -> MatchSteps:
        """Play the actions given, then as the referee does: bots get the events before they are asked."""
        for index in self._played:
            match.apply(match.deal.legal_actions.actions[index])
        self.deals_before = len(match.finished_deals)
        yield from step_match(match, players)

    def _seat_players(
        self, processes: list[BotProcess], encoder: MatchEncoder
    ) -> tuple[Match, Sequence[Player]]:
        """Return the match and its players by seat; bots that are not inline get these processes."""
        rest = iter(processes)
        self._players = [
            LocalPlayer(factory, self._info(seat))
            if factory
            else RemotePlayer(self._info(seat), next(rest), encoder)
            for seat, factory in enumerate(self._factories)
        ]
        return self.match, self._players

    def _info(self, seat: int) -> Info:
        bot = self._seats[seat]
        settings: dict[str, Any] = bot.bot.settings if bot else {}
        key = derive_bot_key(self.seed, seat)
        players = self.match.players
        return Info.of(self.match.rules, seat=seat, players=players, key=key, settings=settings)


# --- thread ---
# The thread pauses at the person's decisions and after each deal.

logger = logging.getLogger(__name__)

Phase = Literal["thinking", "decision", "deal-over", "match-over", "failed"]
Answer = Action | Literal["proceed", "stop"]


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


class MatchThread(threading.Thread):
    """A match between a person and bots that is played until an answer is needed.

    Args:
        rules: The variant.
        seats: The bot of each seat, None for the person's.
        seed: The seed of the cards and of the bots' randomness.
        publish: Called in the thread at each pause, with this match, the phase and what the person may see.
        finish: Called in the thread with this match when its end is published.
        played: Actions that were played already, each by its place among the legal ones.
        asked: How many actions had been played at each decision of the person among them.
        deals_shown: Number of deals whose ends the person has seen; None for all that `played` finishes.
        previous: Matches that have to end first, with the processes of their bots.
    """

    person_class: type[_Person] = _Person

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[Opponent | None],
        seed: str,
        publish: Callable[[MatchThread, Phase, Json], None],
        finish: Callable[[MatchThread], None],
        played: Sequence[int] = (),
        asked: Sequence[int] = (),
        deals_shown: int | None = None,
        previous: Sequence[MatchThread] = (),
    ) -> None:
        super().__init__(daemon=True, name=f"match of {rules}")
        self.table = SeatedMatch(rules, seats, seed, lambda info: self.person_class(info, self), played)
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
        self._publish, self._finish = publish, finish
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
            self._finish(self)

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
        answer = self._pause("decision", self._describe_question(view))
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

    def _describe_question(self, view: View) -> Json:
        self.view = view
        self.asked.append(len(self.table.actions_played))
        table = self._describe_table(self.table.match.deal)
        return {"table": table, "decision": describe_decision(view, self.names)}

    def _describe_deal_over(self, deal: Deal) -> Json:
        return {
            "table": self._describe_table(deal),
            "result": describe_result(deal, self._seat, self.names),
        }

    def _describe_table(self, deal: Deal) -> Json:
        """Return the table, how many of its events the person has seen already, and the tables in between."""
        table = describe_table(deal, self._seat, self.names)
        number, seen = self._events_seen
        seen = seen if number == table["deal"] else 0
        self._events_seen = table["deal"], len(table["events"])
        return {
            **table,
            "events_seen": seen,
            "steps": describe_steps(deal, self._seat, self.names, seen),
        }


class _DeferredPerson(_Person):
    """The person as a player whose decisions the referee yields."""

    @staticmethod
    def act_many(bots: object, views: object) -> list[Action | str]:
        raise AssertionError("the match is played step by step")


class SteppedMatch(MatchThread):
    """The same match where no thread can be started: `advance` plays on in the caller's.

    All bots are in this process. They may have played on when a finished deal is shown.
    """

    person_class = _DeferredPerson

    def start(self) -> None:
        self._ends: deque[Json] = deque()
        """Ends of deals that the person has not seen."""
        self._course = self._play_steps()

    def join(self, timeout: float | None = None) -> None:
        """Return at once: nobody else plays."""

    def is_alive(self) -> bool:
        return False

    def advance(self) -> None:
        """Play until the person is to answer, after the answer given; at the end, play the rival."""
        answer = None if self._answers.empty() else self._answers.get()
        with suppress(StopIteration, KeyboardInterrupt):
            self._publish(self, *self._course.send(answer))

    def _play_steps(self) -> Generator[tuple[Phase, Json], Answer | None, None]:
        """Yield each pause, and receive the answer; at the end let the rival play."""
        steps = self.table.begin_steps()
        question = next(steps, None)
        while question is not None:
            while self._ends:
                yield "deal-over", self._ends.popleft()
            answer = yield "decision", self._describe_question(question[1])
            try:
                question = steps.send(answer)
            except StopIteration:
                break
        while self._ends:
            yield "deal-over", self._ends.popleft()
        yield "match-over", self._describe_deal_over(self.table.match.finished_deals[-1])
        self._finish(self)

    def _pause(self, phase: Phase, parts: Json) -> Answer:
        """Keep the end of a deal until the next decision: the referee calls this amid a step."""
        self._ends.append(parts)
        return "proceed"
