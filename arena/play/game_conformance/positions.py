"""Checks of positions: what is hidden there, what is legal, and which code no match reaches."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from itertools import chain
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, TypeVar

from arena.errors import IllegalAction, InvalidNotation
from arena.games import Deal, Match, Rules, View
from arena.games.action import Action, format_cards, merge_events
from arena.games.cards import HIDDEN, Card
from arena.games.determinization import ReplayedDeals
from arena.games.stock import Stock
from arena.play.game_conformance.findings import Problem
from arena.play.game_conformance.matches import (
    GameFailed,
    Observe,
    Step,
    call_game,
    cards_in,
    find_difference,
    format_value,
    match_facts,
    narrow_difference,
    take_random_step,
    view_facts,
)

# --- hidden cards ---
# Check that a view shows nothing that is hidden: deal cards otherwise, and compare what the seat sees.
#
# A card is hidden from a seat if its first view of the deal does not show it, no event has named it to the
# seat since, and `known` does not list it. Where it has been does not matter. Hidden cards change places, and
# the same is done again. If the others could act in the same way, and no other card was shown, then the seat
# cannot tell the deals apart. In the same way others choose otherwise where the seat has not seen their
# choice.

TRANSPOSITIONS: Final = 3
"""Pairs of cards that change places where changing all of them was not possible; single choices likewise."""
MAX_CHOICES_TRIED: Final = 8
"""Other actions that are tried in place of a hidden choice."""

Relabelling = Mapping[Card, Card]
"""Cards that lie where others lay, by those."""
NO_OTHERS: Final[Relabelling] = {}


def redeal(match: Match, others: Relabelling = NO_OTHERS) -> Deal:
    """Return the match's deal before its first action, dealt from a pack with other cards in some places."""
    opening = match.deal.opening
    cards = tuple([others.get(card, card) for card in match.rules.whole_pack.cards])
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


def exchange_cards(match: Match, hidden: list[Card], rng: Random) -> Iterator[Relabelling]:
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
        other = play_otherwise(match, seat, rng, others)
        if other is None:
            continue
        problem = compare_views(match.deal, other, seat, observe, "with other cards where it cannot see")
        yield problem
        if problem or len(others) > 2:
            return


def play_otherwise(
    match: Match, seat: int, rng: Random, others: Relabelling = NO_OTHERS, changed: Sequence[int] = ()
) -> Deal | None:
    """Play a deal again with other cards, or with other actions than those at some places.

    None if that is not possible, or if the seat sees another deal then.
    """
    deal, list_seen = match.deal, list_told if changed else list_public  # other cards may have other texts
    again, other, is_other = redeal(match), redeal(match, others), not changed
    for place, index in enumerate(deal.action_indices):
        action = again.legal_actions.actions[index]
        if again.to_act is None or other.to_act != again.to_act:
            return None
        same = find_same_action(again.view(again.to_act), other.view(again.to_act), action, others)
        again.apply(action)
        twin = find_unseen_choice(again, other, same, seat, rng) if place in changed else None
        if twin is not None:
            other, is_other = twin, True
        elif same is not None:
            other.apply(same)
        else:
            return None
        if changed and other.view(seat).hand != again.view(seat).hand:
            return None  # a card that somebody has given up came to it
    if not is_other or (other.to_act == seat) != (deal.to_act == seat):
        return None
    return other if list_seen(other, seat) == list_seen(deal, seat) else None


def find_same_action(view: View, other: View, action: Action, others: Relabelling) -> Action | None:
    """Return the action of another view that does the same to relabelled cards, or has the same text."""
    cards = [others.get(card, card) for card in action.cards(view.hand, view.table)]
    for text in (action.text(cards), view.text(action)):
        try:
            return other.parse(text)
        except (IllegalAction, InvalidNotation):
            continue
    return action if action in other.legal else None


def check_hidden_choices(
    match: Match, seat: int, rng: Random, observe: Observe | None
) -> Iterator[Problem | None]:
    """Yield the outcome of each comparison of a seat's view with that after other choices it has not seen."""
    yield from check_private_texts(match.deal, seat)
    hidden = find_hidden_choices(match.deal, seat)
    if not hidden:
        return
    for changed in [hidden, *[[rng.choice(hidden)] for _ in range(TRANSPOSITIONS)]]:
        other = play_otherwise(match, seat, rng, changed=changed)
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


def list_public(deal: Deal, seat: int) -> list[tuple[Any, ...]]:
    """Return who did what kind of action with which cards, as far as a seat sees it."""
    return [(event.seat, event.action.kind, event.cards) for event in deal.view(seat).past]


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


# --- cards, actions and copies ---

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
    sampler = match.rules.sampler
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


# --- unreached code ---
# Lines that no match has reached, such as a reshuffle that takes a long deal.

ARENA: Final = "arena"
MAX_LISTED: Final = 8
"""Limit on the places that are listed."""


Line = tuple[CodeType, int]
"""A function and the number of one of its lines."""


class LineTracer:
    """Notes which lines of a game are reached while it is active.

    Attributes:
        missing: The lines of each function that were not reached yet.
    """

    def __init__(self, lines: Iterable[Line]) -> None:
        self.missing: dict[CodeType, set[int]] = {}
        for code, line in lines:
            self.missing.setdefault(code, set()).add(line)

    @property
    def lines(self) -> set[Line]:
        """The lines that were not reached yet."""
        return {(code, line) for code, lines in self.missing.items() for line in lines}

    def discard(self, lines: Iterable[Line]) -> None:
        """Note lines that were reached otherwise."""
        for code, line in lines:
            self.missing[code].discard(line)

    @contextmanager
    def active(self) -> Iterator[None]:
        """Note lines in this thread, unless a debugger or a measurement of coverage does."""
        if sys.gettrace() is not None or not any(self.missing.values()):
            yield
            return
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, argument: object) -> Any:
        return self._reach if self.missing.get(frame.f_code) else None

    def _reach(self, frame: FrameType, event: str, argument: object) -> Any:
        lines = self.missing[frame.f_code]
        lines.discard(frame.f_lineno)
        return self._reach if lines else None


def list_lines(rules: Rules) -> list[Line]:
    """Return the lines of a game by which matches go: of its deal, view, ranking, settlement and policies.

    The arena's own code, and what a match does not need, such as a heuristic, is left out. A game that is
    in no file, as in a notebook, has none.
    """
    kinds = [rules.deal_type, getattr(rules.deal_type, "view_type", View)]
    kinds += [type(getattr(rules, field.name)) for field in fields(rules)]
    classes = dict.fromkeys(
        [base for kind in kinds for base in kind.__mro__ if not _is_foreign(base.__module__)]
    )
    pending = [code for kind in classes for value in vars(kind).values() for code in _find_code(value)]
    names = dict.fromkeys([kind.__module__ for kind in classes])
    modules = [sys.modules[name] for name in names if name in sys.modules]
    files = {getattr(module, "__file__", None) for module in modules}
    codes: dict[CodeType, None] = {}
    while pending:
        code = pending.pop()
        if code in codes or code.co_filename not in files:
            continue
        codes[code] = None
        pending += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        for module in modules:
            functions = [getattr(module, name, None) for name in code.co_names]
            pending += [value.__code__ for value in functions if isinstance(value, FunctionType)]
    return [(code, line) for code in codes for line in _find_lines(code)]


def describe_lines(lines: Iterable[Line], all_lines: Iterable[Line]) -> list[str]:
    """Return a text for each run of lines, the first ones: `MyDeal.draw (lines 80-84)`."""
    missing, existing = set(lines), sorted({(code.co_filename, line) for code, line in all_lines})
    owners = {(code.co_filename, line): code.co_qualname for code, line in sorted(missing, key=_place)}
    texts: list[str] = []
    run: list[int] = []
    name = ""
    for place in [*existing, ("", 0)]:
        owner = owners.get(place, "").replace(".<locals>", "").partition(".<")[0]
        if run and owner != name:
            numbers = f"line {run[0]}" if run[0] == run[-1] else f"lines {run[0]}-{run[-1]}"
            texts.append(f"{name} ({numbers})")
            run = []
        name = owner
        if owner:
            run.append(place[1])
    more = len(texts) - MAX_LISTED
    return [*texts[:MAX_LISTED], *([f"{more} other places"] if more > 0 else [])]


def _place(line: Line) -> tuple[str, int, int]:
    code, number = line
    return code.co_filename, number, -code.co_firstlineno


def _is_foreign(module: str) -> bool:
    """Return whether a module is the arena's own, the standard library's or of a package that games use."""
    top = module.partition(".")[0]
    return top in (ARENA, "msgspec") or top in sys.stdlib_module_names


def _find_code(value: Any) -> Iterator[CodeType]:
    """Yield the code of what a class has: of methods, properties and such."""
    for name in ("fget", "func", "__func__", "__wrapped__"):
        value = getattr(value, name, None) or value
    if isinstance(value, FunctionType):
        yield value.__code__


def _find_lines(code: CodeType) -> set[int]:
    """Return the lines of a function without its first, that of `def`."""
    return {line for *_, line in code.co_lines() if line and line != code.co_firstlineno}
