"""Ask other bots what they would have done at each decision of a finished match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games import Deal, View
from arena.play.bot import BotFactory, Info
from arena.play.players import LocalPlayer
from arena.play.records.record import restart_deal
from arena.play.referee import EventCursors, send_events, send_result

Suggestions = list[dict[str, str]]
"""By action of a deal: the action of each bot in notation, by its name."""


def suggest_actions(deals: Sequence[Deal], factories: Mapping[str, BotFactory]) -> list[Suggestions]:
    """Return by deal the actions that bots would have chosen.

    Each bot has every seat from the beginning of the match and gets all events of that seat, but the match
    stays as it was played. A forced decision has no suggestions; where a bot fails its suggestion is "".
    """
    advisers = [_Adviser(name, factory, deals[0]) for name, factory in factories.items()]
    return [_suggest_in_deal(deal, advisers) for deal in deals]


def _suggest_in_deal(finished: Deal, advisers: Sequence[_Adviser]) -> Suggestions:
    deal = restart_deal(finished)
    for adviser in advisers:
        adviser.begin_deal()
    suggestions: Suggestions = []
    for index in finished.action_indices:
        seat = deal.to_act
        assert seat is not None
        for adviser in advisers:
            adviser.observe(deal)
        forced = deal.legal_actions.is_forced
        suggestions.append({} if forced else {one.name: one.suggest(deal.view(seat)) for one in advisers})
        deal.apply(deal.legal_actions.actions[index])
    for adviser in advisers:
        adviser.end_deal(deal)
    return suggestions


class _Adviser:
    """A bot in every seat of a match, which is asked but never plays."""

    def __init__(self, name: str, factory: BotFactory, first: Deal) -> None:
        self.name = name
        rules, players = first.opening.rules, first.opening.players
        self._players = [
            LocalPlayer(factory, Info.of(rules, seat=seat, players=players, key=f"shadow/{name}/{seat}"))
            for seat in range(players)
        ]
        self.begin_deal()

    def begin_deal(self) -> None:
        self._cursors: EventCursors = (None, [None] * len(self._players))

    def observe(self, deal: Deal) -> None:
        observers = [player for player in self._players if player.observe]
        self._cursors = send_events(deal, observers, self._cursors)

    def end_deal(self, deal: Deal) -> None:
        self.observe(deal)
        send_result(deal, [player for player in self._players if player.deal_over])

    def suggest(self, view: View) -> str:
        """Return the bot's action in notation; "" if it fails."""
        player = self._players[view.seat]
        if player.act is None:
            return ""
        try:
            answer = player.act_many([player.bot], [view])[0] if player.act_many else player.act(view)
            action = view.parse(answer) if isinstance(answer, str) else answer
            return view.text(action) if action in view.legal else ""
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            player.fail("crash", view.deal, error)
            return ""
