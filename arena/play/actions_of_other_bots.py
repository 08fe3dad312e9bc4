"""Ask other bots what they would have done at each decision of a finished match."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import islice
from typing import NamedTuple

from arena.games import Deal, Match, View
from arena.games.action import LegalActions
from arena.play.bot import DEFAULT_LIMITS, Info, Limits, make_factory
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
from arena.play.isolation import LEVELS, Level
from arena.play.players import DEFERRED, Fault, LocalPlayer, Player
from arena.play.referee import (
    Answer,
    EventCursors,
    MatchSteps,
    ask_local,
    judge_answer,
    send_events,
    send_result,
)
from arena.plugins import BotSpec


class Shadow(NamedTuple):
    """A bot that is asked but does not play, and the isolation level it runs at."""

    bot: BotSpec
    level: Level


class Suggestion(NamedTuple):
    """The answer of a bot at a decision; empty if the bot was asked no more, after too many faults."""

    action: str = ""
    """Action in notation; "" if the bot gave no legal one."""
    fault: str = ""
    """Faults since the decision before, each as kind and reason."""


Suggestions = list[dict[str, Suggestion]]
"""Answer of each bot by name, for each action of a deal; none for a forced action."""


def suggest_actions(
    deals: Sequence[Deal],
    shadows: Sequence[Shadow],
    limits: Limits = DEFAULT_LIMITS,
    max_running: int = 1,
    count: Callable[[], object] = lambda: None,
) -> list[Suggestions]:
    """Return by deal the actions that bots would have chosen.

    Each bot has every seat from the beginning of the match and gets all events of that seat, but the match
    stays as it was played. In each seat its faults are counted and end its part as in a match.

    Args:
        deals: All deals of a match, finished.
        shadows: Bots with different names. Those not at the level `inline` have a process for each seat.
        limits: Limits of each bot, for the match.
        max_running: Bot processes at the same time.
        count: Is called at each action of the match for each bot.

    Raises:
        HostUnavailable: If the machine cannot start a process.
        PluginError: For a bot that is missing.
    """
    specs = {bot.name: make_launch_spec(bot, level) for bot, level in shadows if LEVELS[level].has_process}
    players = deals[0].opening.players
    asked = [
        _FollowedSeat(deals, shadow, seat, limits, count) for shadow in shadows for seat in range(players)
    ]
    pool = ProcessPool(specs, limits, max_running)
    try:
        play_jobs([adviser.job() for adviser in asked], pool)
    finally:
        pool.close()
    return [
        [
            {
                adviser.name: adviser.answers[number, place]
                for adviser in asked
                if (number, place) in adviser.answers
            }
            for place in range(len(deal.action_indices))
        ]
        for number, deal in enumerate(deals)
    ]


class _FollowedSeat:
    """One bot in one seat of a match in which the recorded actions are played, whatever it answers."""

    def __init__(
        self, deals: Sequence[Deal], shadow: Shadow, seat: int, limits: Limits, count: Callable[[], object]
    ) -> None:
        self.name = shadow.bot.name
        self.answers: dict[tuple[int, int], Suggestion] = {}
        """Answers by the number of the deal and of the action in it, both from 0."""
        self._deals, self._shadow, self._count = deals, shadow, count
        opening = deals[0].opening
        self._info = Info.of(
            opening.rules,
            seat=seat,
            players=opening.players,
            key=f"shadow/{seat}",
            limits=limits,
            settings=shadow.bot.settings,
        )
        self._faults_shown = 0

    def job(self) -> MatchJob:
        """Return the match to be followed, for the scheduler of bot processes."""
        keys = (ProcessKey(self.name, 0, self._info.seat),) if LEVELS[self._shadow.level].has_process else ()
        return MatchJob(keys, self._begin, lambda match, players: None, self._follow)

    def _begin(self, processes: list[BotProcess], encoder: MatchEncoder) -> tuple[Match, Sequence[Player]]:
        self._faults_shown = 0
        opening = self._deals[0].opening
        match = Match(opening.rules, opening.players, "", opening.holdings)
        if processes:
            return match, [RemotePlayer(self._info, processes[0], encoder)]
        factory = make_factory(self._shadow.bot.source.load())
        return match, [LocalPlayer(factory, self._info, self.name)]

    def _follow(self, match: Match, players: Sequence[Player]) -> MatchSteps:
        """Play the recorded actions; yield the seat's decisions if it is deferred, and keep the answers."""
        [player] = players
        for number, finished in enumerate(self._deals):
            cursors: EventCursors = (None, [None] * match.players)
            for place, deal in enumerate(finished.replay()):
                match.deal = deal
                cursors = send_events(deal, [player] if player.observe else (), cursors)
                legal = deal.legal_actions
                if deal.to_act == player.seat:
                    if not legal.is_forced:
                        self.answers[number, place] = yield from self._ask(
                            player, deal.view(player.seat), legal
                        )
                    self._count()
            send_result(match.deal, players)
            assert finished.changes is not None
            match.holdings = match.rules.settlement.apply_changes(match.holdings, finished.changes, number)

    def _ask(
        self, player: Player, view: View, legal: LegalActions
    ) -> Generator[tuple[Player, View], Answer, Suggestion]:
        index = None
        if player.act is DEFERRED:
            answer = yield player, view
            if player.act is not None:  # else it has failed too often meanwhile
                index = judge_answer(player, answer, view, legal)
        elif player.act is not None:
            index = judge_answer(player, ask_local(player.act, view, player.seconds), view, legal)
        faults = zip(player.faults, player.reasons, strict=True)
        new = [_describe_fault(*fault) for fault in islice(faults, self._faults_shown, None)]
        self._faults_shown += len(new)
        return Suggestion("" if index is None else view.text(legal.actions[index]), "; ".join(new))


def _describe_fault(fault: Fault, reason: str) -> str:
    """Return kind and reason of a fault; of a timeout the kind, as the seconds differ each time."""
    return fault.kind if fault.kind == "timeout" else f"{fault.kind}: {reason}"
