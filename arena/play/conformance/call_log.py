"""A bot watched at a match: what it was told and asked, what it answered, and how long that took."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

from arena.games import Match, View
from arena.games.action import Action
from arena.play.bot import Info
from arena.play.conformance.environments import Environment, FailureCallback
from arena.play.faults import BotFailure
from arena.play.players import Player
from arena.play.referee import play


class Call(NamedTuple):
    """Something a bot was told (`observe`, `deal_over`) or asked (`act`)."""

    what: str
    said: Any
    answer: str = ""
    """In notation; of a failure, what it was."""
    seconds: float = 0.0


def watch(
    match: Match, room: Environment, info: Info, others: Sequence[Player], noted: FailureCallback
) -> list[Call]:
    """Plays a match with the bot at its seat among others; all that it was told and asked, in order."""
    calls: list[Call] = []
    seat = room.seat(match.rules, info, noted)
    _listen(seat, calls)
    play(match, [*others[: info.seat], seat, *others[info.seat :]])
    room.leave(seat, match)
    return calls


def ask_again(room: Environment, info: Info, past: Sequence[Call], match: Match) -> str:
    """What a new bot answers that was told and asked the same before, and now is asked in this match."""
    failures: list[str] = []
    seat = room.seat(match.rules, info, lambda kind, deal, answer: failures.append(kind))
    for call in past:
        _say(seat, call)
    deal = match.deal
    answer = _answer(seat, deal.view(info.seat))
    room.leave(seat, None)
    return answer


def _listen(seat: Player, calls: list[Call]) -> None:
    """Has each call of the bot written down."""
    act, observe, deal_over = seat.act, seat.observe, seat.deal_over
    if act is not None:
        asked = act

        def timed(view: View) -> Action | str:
            begun = perf_counter()
            try:
                answer = asked(view)
            except BaseException as error:
                calls.append(Call("act", view, _told(view, error), perf_counter() - begun))
                raise
            calls.append(Call("act", view, _told(view, answer), perf_counter() - begun))
            return answer

        seat.act = timed
    if observe is not None:
        heard = observe

        def observed(event: str) -> None:
            calls.append(Call("observe", event))
            heard(event)

        seat.observe = observed
    if deal_over is not None:
        learned = deal_over

        def over(result: dict[str, Any]) -> None:
            calls.append(Call("deal_over", result))
            learned(result)

        seat.deal_over = over


def _say(seat: Player, call: Call) -> None:
    """Tells or asks a bot the same again; how it fails at that is no matter, it did so before."""
    listen = getattr(seat, call.what)
    if listen is not None:
        try:
            listen(call.said)
        except KeyboardInterrupt:
            raise
        except BaseException:
            pass


def _answer(seat: Player, view: View) -> str:
    if seat.act is None:
        return "nothing"
    try:
        return _told(view, seat.act(view))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return _told(view, error)


def _told(view: View, answer: object) -> str:
    """An answer in notation, the same for the same action; of a failure its type."""
    try:
        action = view.parse(answer) if isinstance(answer, str) else answer
        if isinstance(action, Action):
            return view.text(action)
    except Exception:
        return f"no legal action ({str(answer)[:60]})"
    return answer.kind if isinstance(answer, BotFailure) else type(answer).__name__
