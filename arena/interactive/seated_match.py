"""A match between a person and bots, each bot at its isolation level."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

from arena.errors import ArenaError
from arena.games import Deal, Match, Rules
from arena.interactive.opponents import Opponent
from arena.play import Info, Limits, LocalPlayer
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
from arena.play.players import Fault, Player
from arena.play.records.record_builder import to_record
from arena.play.records.record_schema import encode_record
from arena.play.referee import MatchSteps, step_match
from arena.play.single_match import derive_bot_key

INLINE: Final = "inline"
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
            person if seat is None else make_factory(seat.bot.source.load()) if seat.level == INLINE else None
            for seat in seats
        ]
        self.launch_specs = {
            seat.bot.name: make_launch_spec(seat.bot, seat.level)
            for seat in seats
            if seat and seat.level != INLINE
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
        job = MatchJob(tuple(keys), self._seat_players, lambda match, players: None, self._steps)
        try:
            play_jobs([job], self._pool)
        except HostUnavailable as error:
            raise ArenaError(str(error)) from error
        finally:
            self._pool.close()

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
