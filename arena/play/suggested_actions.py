"""Shadows: what other bots would have done at each decision of a match that is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.games import Deal, View
from arena.play.bot import BotFactory, Info
from arena.play.players import LocalPlayer
from arena.play.records.record import restart_deal
from arena.play.referee import send_events, send_result

Suggestions = list[dict[str, str]]


def suggest_actions(deals: Sequence[Deal], makers: Mapping[str, BotFactory]) -> list[Suggestions]:
    """By deal and action, the action in notation of each bot, by its name, had it been asked in that seat.

    A bot has each seat from the beginning of the match and hears all that the seat heard, but what was
    played stays as it was. A decision with one choice has no answers; one in which a bot failed has "".
    """
    shadows = [_Shadow(name, make, deals[0]) for name, make in makers.items()]
    return [_deal_answers(deal, shadows) for deal in deals]


def _deal_answers(deal: Deal, shadows: Sequence[_Shadow]) -> Suggestions:
    again = restart_deal(deal)
    for shadow in shadows:
        shadow.begin_deal()
    answers: Suggestions = []
    for code in deal.action_indices:
        seat = again.to_act
        assert seat is not None
        for shadow in shadows:
            shadow.hear(again)
        forced = again.legal_actions.is_forced
        answers.append({} if forced else {one.name: one.answer(again.view(seat)) for one in shadows})
        again.apply(again.legal_actions.actions[code])
    for shadow in shadows:
        shadow.end_deal(again)
    return answers


class _Shadow:
    """A bot in every seat of a match, that is asked and never played."""

    def __init__(self, name: str, make: BotFactory, first: Deal) -> None:
        self.name = name
        rules, players = first.opening.rules, first.opening.players
        self._seats = [
            LocalPlayer(make, Info.of(rules, seat=at, players=players, key=f"shadow/{name}/{at}"))
            for at in range(players)
        ]
        self.begin_deal()

    def begin_deal(self) -> None:
        """Nothing of the next deal has been heard yet."""
        self._heard: Any = (None, [None] * len(self._seats))

    def hear(self, deal: Deal) -> None:
        """Hears what has happened."""
        self._heard = send_events(deal, [seat for seat in self._seats if seat.observe], self._heard)

    def end_deal(self, deal: Deal) -> None:
        """Hears how a deal ended."""
        self.hear(deal)
        send_result(deal, [seat for seat in self._seats if seat.deal_over])

    def answer(self, view: View) -> str:
        """What it would do, in notation; "" if it fails."""
        seat = self._seats[view.seat]
        if seat.act is None:
            return ""
        try:
            done = seat.act_many([seat.bot], [view])[0] if seat.act_many else seat.act(view)
            action = view.parse(done) if isinstance(done, str) else done
            return view.text(action) if action in view.legal else ""
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            seat.fail("crash", view.deal, error)
            return ""
