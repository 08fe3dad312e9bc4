"""The table as one seat sees it, as JSON: for a page on which a person plays.

All of it comes from the seat's view, beside what is public of a deal: how many cards lie where.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import click

from arena.games import Deal, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.events import Event, merge_events
from arena.interactive.action_menu import group_actions
from arena.output.words.cards import (
    SeatNames,
    Sentence,
    describe_hand,
    drop_showdown,
    format_holdings,
    get_family_text,
    rank_if_known,
    showdown_rows,
)

Json = dict[str, Any]


def describe_table(deal: Deal, seat: int, names: SeatNames) -> Json:
    """Return the seats, piles and events of a deal as `seat` sees them."""
    view = deal.view(seat)
    events = drop_showdown(merge_events(deal.public, deal.private_events[seat]), deal)
    piles = _describe_piles(deal, view)
    rules, players = deal.opening.rules, deal.opening.players
    round_table = [(seat + rules.step * place) % players for place in range(players)]
    return {
        "deal": view.deal + 1,
        "dealer": view.dealer,
        "asked": deal.to_act,
        "seats": [_describe_seat(deal, view, seat, piles, names) for seat in round_table],
        "piles": piles,
        "stock": getattr(view, "stock_left", None),
        "pool": view.holdings.pool,
        "events": describe_events(events, view, names),
    }


def describe_events(events: Sequence[Event], view: View, names: SeatNames) -> list[Sentence]:
    """Return events as the seat they are about and their words."""
    text = get_family_text(view.opening.rules)
    return [text.describe(event, names) for event in events]


def describe_decision(view: View, names: SeatNames) -> Json:
    """Return what the seat of a view is asked, and its legal actions in groups of similar ones."""
    text = get_family_text(view.opening.rules)
    groups = []
    for group in group_actions(view):
        label = "" if group.is_plain else text.menu_label(view, group.kind, group.size)
        actions = [_describe_action(view, action, group.is_plain, names) for _, action in group.numbered]
        groups.append({"label": label, "is_plain": group.is_plain, "actions": actions})
    kinds = dict.fromkeys([action.kind for action in view.legal])
    lessons = [text.action_lessons[kind] for kind in kinds if kind in text.action_lessons]
    return {"prompt": text.prompt(view, names), "groups": groups, "lessons": lessons}


def describe_result(deal: Deal, seat: int, names: SeatNames) -> Json:
    """Return the hands that `seat` saw at the end of a deal, best first, and what each seat won or lost."""
    assert deal.changes is not None
    rows = [[click.unstyle(cell) for cell in row] for row in showdown_rows(deal, names.by_seat, seat)]
    return {
        "rows": [
            {"seat": int(number), "hand": hand, "worth": words, "outcome": outcome}
            for number, _, hand, words, outcome in rows
        ],
        "pool": deal.changes.pool,
    }


def _describe_piles(deal: Deal, view: View) -> list[Json]:
    """Return the piles with their cards and, for each card, its place in the names of the family's text."""
    text = get_family_text(view.opening.rules)
    piles = [
        (pile.name, pile.seat, cards)
        for pile, cards in zip(text.piles(deal), text.visible_piles(view), strict=True)
        if cards
    ]
    table = view.table
    if table and not any(owner is None and cards[-len(table) :] == table for _, owner, cards in piles):
        piles.insert(0, (text.table_name, None, table))
    return [
        {"name": name, "seat": owner, "cards": _texts(cards), "places": _table_places(owner, cards, table)}
        for name, owner, cards in piles
    ]


def _table_places(owner: int | None, cards: Hand, table: Hand) -> list[str]:
    """Return the place of each card of a pile: `table:0` where actions can take it, else empty."""
    above = len(cards) - len(table)
    if owner is not None or not table or cards[above:] != table:
        return [""] * len(cards)
    return [f"table:{slot - above}" if slot >= above else "" for slot in range(len(cards))]


def _describe_seat(deal: Deal, view: View, seat: int, piles: Sequence[Json], names: SeatNames) -> Json:
    is_dealt_in = seat in view.order
    cards: Sequence[str] = ()
    if is_dealt_in:
        laid = list(chain.from_iterable([pile["cards"] for pile in piles if pile["seat"] == seat]))
        cards = _visible_hand(deal, view, seat, laid)
    return {
        "seat": seat,
        "name": names[seat],
        "is_dealt_in": is_dealt_in,
        "cards": cards,
        "held": format_holdings(view.holdings, seat),
        "remarks": get_family_text(view.opening.rules).seat_remarks(view, seat) if is_dealt_in else "",
    }


def _visible_hand(deal: Deal, view: View, seat: int, laid: list[str]) -> list[str]:
    """Return a hand as the seat of the view sees it, less the cards that are `laid` in front of it."""
    hand = deal.hands[seat]
    if seat == view.seat:
        return _texts(view.hand)
    if deal.changes is not None and deal.is_seen(seat, view.seat):
        return _texts(hand)
    known = _texts(view.known[seat]) if view.known else []
    if len(known) == len(hand) and "??" in known:  # by place
        return known
    for card in laid:
        if card in known:
            known.remove(card)
    return [*known, *["??"] * (len(hand) - len(known))]


def _describe_action(view: View, action: Action, is_plain: bool, names: SeatNames) -> Json:
    rules = view.opening.rules
    text = get_family_text(rules)
    after = view.after(action)
    made, now = rank_if_known(rules, after), rank_if_known(rules, view.hand)
    note = text.menu_note(view, action) if is_plain else text.menu_item(view, action, names)
    described: Json = {"text": view.text(action), "note": note, "places": text.action_places(view, action)}
    if after != view.hand:
        described["after"] = _texts(after)
        described["made"] = describe_hand(rules, after)
    if made is not None and now is not None and made > now:
        described["improves"] = True
    return described


def _texts(cards: Sequence[Card]) -> list[str]:
    return ["??" if card is HIDDEN else str(card) for card in cards]
