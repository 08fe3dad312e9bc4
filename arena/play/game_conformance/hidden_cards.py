"""Check that a view shows nothing that is hidden: deal cards otherwise, and compare what the seat sees.

A card is hidden from a seat if its first view of the deal does not show it, no event has named it to the seat
since, and `known` does not list it. Where it has been does not matter. Hidden cards change places, and the
same is done again. If the others could act in the same way, and no other card was shown, then the seat cannot
tell the deals apart. In the same way others choose otherwise where the seat has not seen their choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

from arena.errors import IllegalAction, InvalidNotation
from arena.games import Deal, Match, View
from arena.games.action import Action
from arena.games.cards import Card
from arena.games.events import merge_events
from arena.games.stock import Stock
from arena.play.game_conformance.findings import Problem
from arena.play.game_conformance.view_comparison import (
    Observe,
    cards_in,
    find_difference,
    format_value,
    is_asked,
    narrow_difference,
    view_facts,
)

TRANSPOSITIONS: Final = 3
"""Pairs of cards that change places where changing all of them was not possible; single choices likewise."""
MAX_CHOICES_TRIED: Final = 8
"""Other actions that are tried in place of a hidden choice."""

Relabel = Callable[[Card], Card]


def redeal(match: Match, relabel: Relabel = lambda card: card) -> Deal:
    """Return the match's deal before its first action, dealt from a pack in which cards are relabelled."""
    opening = match.deal.opening
    cards = tuple([relabel(card) for card in match.rules.whole_pack.cards])
    stock = Stock(cards, True, match.shuffler, b"deal %d" % opening.number)
    return match.rules.deal_cards(opening, stock)


def find_hidden_cards(match: Match, seat: int) -> list[Card]:
    """Return the cards that were never shown to a seat, a card of which there are several copies once."""
    view, pack = match.view(seat), Counter(match.rules.whole_pack.cards)
    first = redeal(match).view(seat)
    shown = {*cards_in([view_facts(first), view.known]), *view.hand, *view.dealt}
    for event in view.past:
        shown.update(event.cards)
    return [card for card in pack if card not in shown]


def exchange_cards(match: Match, hidden: list[Card], rng: Random) -> Iterator[Mapping[Card, Card]]:
    """Yield ways in which hidden cards change places: all of them, then two at a time."""
    copies = Counter(match.rules.whole_pack.cards)
    by_count: dict[int, list[Card]] = {}
    for card in hidden:
        by_count.setdefault(copies[card], []).append(card)
    groups = [group for group in by_count.values() if len(group) > 1]
    if not groups:
        return
    yield {
        taken: other
        for group in groups
        for taken, other in zip(group, rng.sample(group, len(group)), strict=True)
    }
    for _ in range(TRANSPOSITIONS):
        taken, other = rng.sample(rng.choice(groups), 2)
        yield {taken: other, other: taken}


def check_hidden_cards(
    match: Match, seat: int, rng: Random, observe: Observe | None
) -> Iterator[Problem | None]:
    """Yield the outcome of each comparison of a seat's view with that of a deal with other hidden cards."""
    hidden = find_hidden_cards(match, seat)
    for others in exchange_cards(match, hidden, rng):
        other = play_again(match, lambda card, others=others: others.get(card, card), seat)  # type: ignore[misc]
        if other is None:
            continue
        problem = compare_views(match.deal, other, seat, observe, "with other cards where it cannot see")
        yield problem
        if problem or len(others) > 2:
            return


def play_again(match: Match, relabel: Relabel, seat: int) -> Deal | None:
    """Play the same actions with other cards; None if they are not possible or this seat sees others."""
    deal = match.deal
    again, other = redeal(match), redeal(match, relabel)
    for index in deal.action_indices:
        action = again.legal_actions.actions[index]
        if again.to_act is None or other.to_act != again.to_act:
            return None
        same = find_same_action(again.view(again.to_act), other.view(again.to_act), action, relabel)
        if same is None:
            return None
        again.apply(action)
        other.apply(same)
    if is_asked(other, seat) != is_asked(deal, seat):
        return None
    if list_public(other.view(seat)) != list_public(deal.view(seat)):
        return None
    return other


def find_same_action(view: View, other: View, action: Action, relabel: Relabel) -> Action | None:
    """Return the action of another view that does the same to relabelled cards, or has the same text."""
    cards = [relabel(card) for card in action.cards(view.hand, view.table)]
    for text in (action.text(cards), view.text(action)):
        try:
            return other.parse(text)
        except (IllegalAction, InvalidNotation):
            continue
    return action if action in other.legal else None


def list_public(view: View) -> list[tuple[Any, ...]]:
    """Return who did what kind of action with which cards, as far as a seat sees it."""
    return [(event.seat, event.action.kind, event.cards) for event in view.past]


def check_hidden_choices(
    match: Match, seat: int, rng: Random, observe: Observe | None
) -> Iterator[Problem | None]:
    """Yield the outcome of each comparison of a seat's view with that after other choices it has not seen."""
    yield from check_private_texts(match.deal, seat)
    hidden = find_hidden_choices(match.deal, seat)
    if not hidden:
        return
    for changed in [hidden, *[[rng.choice(hidden)] for _ in range(TRANSPOSITIONS)]]:
        other = choose_otherwise(match, changed, seat, rng)
        if other is None:
            continue
        problem = compare_views(match.deal, other, seat, observe, "with other choices that it has not seen")
        yield problem
        if problem:
            return


def check_private_texts(deal: Deal, seat: int) -> Iterator[Problem]:
    """Check that what is recorded for a seat alone is not shown to all."""
    public = {event.number: event for event in merge_events(deal.public, None)}
    private = deal.private_events[seat]
    while private is not None:
        event, other = private.event, public.get(private.event.number)
        if private.replaces_public and other and not event.cards and other.action is event.action:
            yield Problem(
                "not-hidden",
                f"{event.text} is recorded for seat {seat} alone, and all others read {other.text}",
            )
            return
        private = private.before


def find_hidden_choices(deal: Deal, seat: int) -> list[int]:
    """Return the places of the actions of others that a seat has not seen in full."""
    seen = {event.number: event for event in deal.view(seat).past if event.seat is not None}
    return [
        place
        for place, event in enumerate(deal.log[: len(deal.action_indices)])
        if event.seat != seat
        and (
            (other := seen.get(event.number)) is None
            or (other.action, other.cards) != (event.action, event.cards)
        )
    ]


def choose_otherwise(match: Match, changed: list[int], seat: int, rng: Random) -> Deal | None:
    """Play the same deal with other actions at some places; None if this seat sees another one."""
    deal = match.deal
    again, other, is_other = redeal(match), redeal(match), False
    for place, index in enumerate(deal.action_indices):
        action = again.legal_actions.actions[index]
        if again.to_act is None or other.to_act != again.to_act:
            return None
        same = find_same_action(again.view(again.to_act), other.view(again.to_act), action, lambda card: card)
        again.apply(action)
        twin = find_unseen_choice(again, other, same, seat, rng) if place in changed else None
        is_other = is_other or twin is not None
        if twin is None and same is None:
            return None
        if twin is None:
            other.apply(same)
        else:
            other = twin
        if other.view(seat).hand != again.view(seat).hand:  # a card that somebody has given up came to it
            return None
    if not is_other or is_asked(other, seat) != is_asked(deal, seat):
        return None
    return other if list_told(other, seat) == list_told(deal, seat) else None


def find_unseen_choice(again: Deal, deal: Deal, same: Action | None, seat: int, rng: Random) -> Deal | None:
    """Return a deal after another action than the same one, if a seat has seen then what it saw again."""
    seen = list_told(again, seat)
    others = [action for action in deal.legal_actions.actions if action is not same]
    for action in rng.sample(others, min(len(others), MAX_CHOICES_TRIED)):
        twin = deal.copy()
        twin.apply(action)
        if twin.to_act == again.to_act and list_told(twin, seat) == seen:
            return twin
    return None


def list_told(deal: Deal, seat: int) -> list[tuple[Any, ...]]:
    """Return the events as a seat sees them, of a hidden choice only that there was one."""
    covers = {choice.number for choice in getattr(deal, "hidden_choices", ())}
    return [
        (event.seat,)
        if event.number in covers and event.seat != seat
        else (event.seat, event.action, event.cards)
        for event in deal.view(seat).past
    ]


def compare_views(
    deal: Deal, other: Deal, seat: int, observe: Observe | None, difference: str
) -> Problem | None:
    """Return what a seat sees that differs between two deals, which differ where it cannot see."""
    view, twin = deal.view(seat), other.view(seat)
    facts, others = all_facts(deal, view, observe), all_facts(other, twin, observe)
    name = find_difference(facts, others)
    if not name:
        return None
    place, seen, instead = narrow_difference(name, facts.get(name), others.get(name))
    return Problem(
        "leak",
        f"{place} of seat {seat} is {format_value(seen)}; {difference} it is {format_value(instead)}",
    )


def all_facts(deal: Deal, view: View, observe: Observe | None) -> dict[str, Any]:
    """Return everything a seat gets: its view, the hands it sees after the deal, and its observation."""
    facts = view_facts(view)
    if deal.to_act is None:
        facts["hands after the deal"] = [
            deal.format_seen_hand(seat, view.seat) for seat in range(view.players)
        ]
    if observe is not None:
        facts.update(observe(view))
    return facts
