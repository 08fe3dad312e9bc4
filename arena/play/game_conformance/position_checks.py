"""Checks of one position of a match: its cards, its legal actions, their texts, and copies of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random
from typing import Any, Final, TypeVar

from arena.games import Match, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card
from arena.games.notation_writer import format_cards
from arena.games.replay_determinization import ReplayedDeals
from arena.play.game_conformance.findings import Problem
from arena.play.game_conformance.hidden_cards import redeal
from arena.play.game_conformance.random_match import GameFailed, Step, call_game, take_random_step
from arena.play.game_conformance.view_comparison import find_difference, format_value, match_facts

T = TypeVar("T")
MAX_ACTIONS_TRIED: Final = 40
MAX_COPY_STEPS: Final = 300


def check_turn(match: Match) -> Iterator[Problem]:
    """Check that just the seat to act has legal actions, with a default among them."""
    deal = match.deal
    seat, legal = deal.to_act, deal.legal_actions
    if seat not in deal.opening.order:
        yield Problem("turn", f"seat {seat} is to act, and is not in the deal: {deal.opening.order}")
    for other in range(match.players):
        shown = match.view(other).legal
        expected = legal.actions if other == seat else ()
        if shown != expected:
            yield Problem(
                "turn",
                f"seat {seat} is to act, and the view of seat {other} has {len(shown)} legal actions, "
                f"not {len(expected)}",
            )
    if legal.default not in legal.index:
        yield Problem("turn", f"the default action {legal.default!r} is not among the legal ones")


def check_cards(match: Match) -> Iterator[Problem]:
    """Check that no card is in two places of hands, the stock and the table as the seat to act sees it."""
    deal = match.deal
    stock = deal.stock.copy()
    table = match.view(deal.to_act or 0).table
    there = Counter(chain(*deal.hands, [stock.draw() for _ in range(stock.left)], table))
    pack = Counter(match.rules.whole_pack.cards)
    for card, count in there.items():
        if card is not HIDDEN and count > pack[card]:
            yield Problem(
                "cards",
                f"{card} is {count} times in hands, stock and table, and {pack[card]} times in the pack",
            )
            return


def check_known(match: Match, seat: int) -> Iterator[Problem]:
    """Check `known` of a seat's view: it is true, and lists cards just named that went into other hands.

    Cards of which the pack has several copies are left out: nobody can tell which of them is meant.
    """
    view, log, holders = match.view(seat), match.deal.log, find_holders(match)
    known = view.known or ((),) * match.players
    for other, card in [(other, card) for other, cards in enumerate(known) for card in cards]:
        if holders.get(card, other) != other:
            yield Problem(
                "known",
                f"view.known of seat {seat} says that seat {other} holds {card}: seat {holders[card]} does",
            )
            return
    first = log[-1].number if log else 0
    for event in view.past:
        is_naming = event.number >= first and (event.seat is not None or event.action.named_count)
        for card in event.cards if is_naming else ():
            holder = holders.get(card, seat)
            if holder != seat and card not in known[holder] and not match.deal.is_seen(holder, seat):
                yield Problem(
                    "not-known",
                    f"the event {event.text} names {card} to seat {seat}. Now seat {holder} holds it, and "
                    f"view.known of seat {seat} does not list it",
                )
                return


def check_table_events(match: Match, seat: int) -> Iterator[Problem]:
    """Check that events of the table name the cards they show, and those that lie face up from the start.

    Cards that the seat has seen before need no name: discards that go back to the stock.
    """
    view = match.view(seat)
    seen = {HIDDEN, *view.dealt}
    for event in view.past:
        news = [card for card in event.cards if card not in seen]
        seen.update(news)
        shown = len(event.cards) - event.cards.count(HIDDEN)
        if event.seat is None and news and shown > event.action.named_count:
            yield Problem(
                "unnamed-card",
                f"the event {event.text} shows {format_cards(event.cards)} to seat {seat}, and its template "
                f"names {event.action.named_count} of these {len(event.cards)} cards",
            )
            return
    sampler: type[Any] = match.rules.determinization or match.rules.deal_type.determinization
    if not issubclass(sampler, ReplayedDeals):
        return
    first = redeal(match).view(seat)
    if any(card is not HIDDEN for card in first.table) and sampler(first).find_table() is None:
        yield Problem(
            "unnamed-card",
            f"view.table of seat {seat} is {format_cards(first.table)} before the first action, and no event "
            f"shows the {match.rules.table_size} cards laid out at the start: view.sample takes them from it",
        )


def find_holders(match: Match) -> dict[Card, int]:
    """Return the seat that holds each card in a hand, for cards of which the pack has one copy."""
    copies = Counter(match.rules.whole_pack.cards)
    return {card: seat for seat, hand in enumerate(match.deal.hands) for card in hand if copies[card] == 1}


def check_texts(view: View, rng: Random) -> Iterator[Problem]:
    """Check that each legal action has a text of its own that parses back to it."""
    texts: dict[str, Action] = {}
    for action in view.legal:
        text = view.text(action)
        if text in texts:
            yield Problem("same-text", f"two legal actions of seat {view.seat} are written {text!r}")
            return
        texts[text] = action
    for text, action in sample_actions(texts.items(), rng):
        parsed = view.parse(text)
        if parsed is not action:
            yield Problem("not-parsed", f"{text!r} is the text of {action!r} and parses as {parsed!r}")
            return


def check_actions(match: Match, view: View, rng: Random) -> Iterator[tuple[str, Problem | None]]:
    """Yield each legal action that is tried on a copy, as `seat:action`, and what was wrong with it."""
    before = match_facts(match)
    for action in sample_actions(view.legal, rng):
        attempted = f"{view.seat}:{view.text(action)}"
        twin = match.copy()
        try:
            with call_game(attempted, "action-raises"):
                twin.apply(action)
                for seat in range(twin.players):
                    twin.view(seat)
                wrong_hand = check_after(match, twin, view, action)
        except GameFailed as failed:
            yield attempted, failed.problem
        else:
            problem = compare_with_copy(match, before, attempted)
            yield attempted, problem or wrong_hand
            if problem:
                return


def check_after(match: Match, twin: Match, view: View, action: Action) -> Problem | None:
    """Return what is wrong with `view.after`: it has cards that are not in the hand after the action."""
    if len(twin.finished_deals) > len(match.finished_deals):
        return None
    after, hand = view.after(action), twin.view(view.seat).hand
    if HIDDEN in after:
        return None  # a card that comes unseen may decide what else the hand gives up: a set in Cox
    strange = Counter(after) - Counter(hand)
    if strange.total() <= hand.count(HIDDEN):
        return None
    return Problem(
        "after",
        f"view.after of seat {view.seat} is {format_value(after)}, and the hand is {format_value(hand)}",
    )


def check_copy(match: Match, rng: Random) -> Iterator[Problem]:
    """Check that a copy is like the match, and that playing the copy on leaves the match as it is."""
    before = match_facts(match)
    twin = match.copy()
    if name := find_difference(before, copied := match_facts(twin)):
        yield Problem(
            "copy-differs",
            f"{name} is {format_value(before.get(name))}; of a copy it is {format_value(copied.get(name))}",
        )
        return
    number = len(match.finished_deals)
    steps: list[Step] = []
    try:
        while not twin.is_over and len(twin.finished_deals) == number and len(steps) < MAX_COPY_STEPS:
            take_random_step(twin, rng, steps)
            if problem := compare_with_copy(match, before, ", ".join(map(str, steps))):
                yield problem
                return
    except GameFailed as failed:
        yield failed.problem


def compare_with_copy(match: Match, before: dict[str, Any], done: str) -> Problem | None:
    """Return what actions in a copy have changed of the match itself."""
    after = match_facts(match)
    name = find_difference(before, after)
    if not name:
        return None
    return Problem(
        "shared-copy",
        f"after {done} in a copy, {name} of the match itself is {format_value(after.get(name))}; "
        f"it was {format_value(before.get(name))}",
    )


def sample_actions(actions: Iterable[T], rng: Random) -> list[T]:
    """Return the actions, or as many of them as are tried, drawn at random."""
    candidates = list(actions)
    return candidates if len(candidates) <= MAX_ACTIONS_TRIED else rng.sample(candidates, MAX_ACTIONS_TRIED)
