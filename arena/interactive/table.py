"""A table as a person sees it: the menu of actions, JSON for browsers, and the score of duplicate play."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, Final, NamedTuple, TypeVar

import click

from arena.columns.number_format import format_count
from arena.games import Deal, View
from arena.games.action import Action, Event, merge_events
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.rankings.base import HandRank
from arena.games.settlement.holdings import Changes, Holdings
from arena.output.words.cards import (
    color_cards,
    describe_hand,
    drop_showdown,
    rank_if_known,
    seen_ranks,
    showdown_rows,
)
from arena.output.words.family_text import Sentence, get_family_text
from arena.output.words.seat_names import SeatNames
from arena.output.words.text import format_ordinal, format_signed

# --- menu ---
# Actions are numbered, similar ones together, with the hand that each makes.

T = TypeVar("T")

MAX_LISTED_ACTIONS: Final = 16
"""Larger groups are summarized in a line."""
GAP: Final = "   "
INDENT: Final = "  "
GRID_LABEL_COLUMNS: Final = 11


class Group(NamedTuple):
    """Similar actions with their numbers in the menu."""

    kind: str
    size: int
    """Number of cards that each gives."""
    is_plain: bool
    """True if they name neither cards nor places."""
    numbered: list[tuple[int, Action]]


def format_menu(view: View, names: SeatNames, columns: int) -> str:
    """Return all legal actions; an action's number is its place in `view.legal`, from 1."""
    family = get_family_text(view.opening.rules)
    lines: list[str] = []
    plain: list[str] = []
    for group in group_actions(view):
        if group.is_plain:
            for number, action in group.numbered:
                text, note = view.text(action), family.menu_note(view, action)
                plain.append(_item(number, f"{text}: {note}" if note else text))
        elif family.compares_exchanges and group.size == 1:
            lines += _format_grid(view, group, columns)
        else:
            lines += _format_list(view, group, names, columns)
    return color_cards("\n".join([*lines, *_wrap_items(plain, columns)]))


def group_actions(view: View) -> list[Group]:
    """Return the legal actions in their order, those of one kind and size together."""
    family = get_family_text(view.opening.rules)
    numbered = enumerate(view.legal, 1)
    groups = groupby(
        numbered, key=lambda entry: (entry[1].kind, len(entry[1].give), family.is_plain(entry[1]))
    )
    return [Group(*key, list(own)) for key, own in groups]


def _format_grid(view: View, group: Group, columns: int) -> Iterator[str]:
    """Yield a row per card to give and a column per card to take; hands that improve are bold."""
    rules = view.opening.rules
    now = rank_if_known(rules, view.hand)
    by_slots = {(action.give[0], action.take[0]): (number, action) for number, action in group.numbered}
    gives = sorted({give for give, _ in by_slots})
    takes = sorted({take for _, take in by_slots})
    made = {slots: describe_hand(rules, view.after(action)) for slots, (_, action) in by_slots.items()}
    widths = {take: max(len(made[give, take]) for give in gives) + 3 for take in takes}
    for part in _split_by_width(takes, widths, columns - GRID_LABEL_COLUMNS):
        header = GAP.join(f"{f'   {view.table[take]}':{widths[take]}}" for take in part)
        yield f"{INDENT}{'':6}for{header}".rstrip()
        for give in gives:
            cells = []
            for take in part:
                number, action = by_slots[give, take]
                cell = f"{number:2} {made[give, take]}"
                padding = " " * (widths[take] - len(cell))
                improves = _is_better(rank_if_known(rules, view.after(action)), now)
                cells.append((click.style(cell, bold=True) if improves else cell) + padding)
            card = f"#{give + 1}" if view.hand[give] is HIDDEN else str(view.hand[give])
            yield f"{INDENT}give {card:2}  {GAP.join(cells)}".rstrip()


def _split_by_width(takes: Sequence[int], widths: Mapping[int, int], columns: int) -> list[list[int]]:
    """Return the columns of a grid in parts, each as wide as fits."""
    parts: list[list[int]] = [[]]
    for take in takes:
        if parts[-1] and sum(widths[part] + len(GAP) for part in parts[-1]) + widths[take] > columns:
            parts.append([])
        parts[-1].append(take)
    return parts


def _is_better(rank: HandRank | None, now: HandRank | None) -> bool:
    return rank is not None and now is not None and rank > now


def _format_list(view: View, group: Group, names: SeatNames, columns: int) -> Iterator[str]:
    family = get_family_text(view.opening.rules)
    label = family.menu_label(view, group.kind, group.size)
    if len(group.numbered) > MAX_LISTED_ACTIONS:
        first, last = group.numbered[0][0], group.numbered[-1][0]
        count = f"{INDENT}{first}-{last}  {label}, {len(group.numbered)} ways"
        example = _choose_example(view, group)
        if len(count) + len(example) + 2 <= columns:
            yield f"{count}: {example}"
        else:
            yield from (f"{count}:", f"{INDENT * 2}{example}")
        return
    yield f"{INDENT}{label}"
    items = [_item(number, family.menu_item(view, action, names)) for number, action in group.numbered]
    widest = max(map(len, items))
    per_row = max((columns - len(INDENT) * 2 + len(GAP)) // (widest + len(GAP)), 1)
    for row in _chunk(items, per_row):
        yield (INDENT * 2 + GAP.join(f"{item:{widest}}" for item in row)).rstrip()


def _choose_example(view: View, group: Group) -> str:
    """Return the action with the best hand or, if unknown, the first."""
    rules, (_, example) = view.opening.rules, group.numbered[0]
    made = {number: rank_if_known(rules, view.after(action)) for number, action in group.numbered}
    known = {number: rank for number, rank in made.items() if rank is not None}
    if len(known) < len(made) or not get_family_text(rules).compares_exchanges:
        return f"for example {view.text(example)}"
    best = max(known, key=lambda number: known[number])
    action = view.legal[best - 1]
    return f"best {best} {view.text(action)}  {describe_hand(rules, view.after(action))}"


def _item(number: int, text: str) -> str:
    return f"{number:2} {text}"


def _wrap_items(items: Sequence[str], columns: int) -> Iterator[str]:
    line = ""
    for item in items:
        if line and len(INDENT) * 2 + len(line) + len(GAP) + len(item) > columns:
            yield INDENT * 2 + line
            line = ""
        line += f"{GAP if line else ''}{item}"
    if line:
        yield INDENT * 2 + line


def _chunk(items: Sequence[T], length: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), length):
        yield items[start : start + length]


# --- JSON for browsers ---
# All of it comes from the seat's view and from what is public of a deal: how many cards lie where.

Json = dict[str, Any]


def describe_table(deal: Deal, seat: int, names: SeatNames) -> Json:
    """Return the seats, piles and events of a deal as `seat` sees them."""
    view = deal.view(seat)
    events = drop_showdown(merge_events(deal.public, deal.private_events[seat]), deal)
    piles = _describe_piles(deal, view)
    rules, players = deal.opening.rules, deal.opening.players
    round_table = [(seat + rules.step * place) % players for place in range(players)]
    holdings = view.holdings
    if deal.changes is not None:
        holdings = rules.settlement.apply_changes(deal.opening.holdings, deal.changes, deal.opening.number)
    return {
        "deal": view.deal + 1,
        "dealer": view.dealer,
        "asked": deal.to_act,
        "seats": [_describe_seat(deal, view, holdings, seat, piles, names) for seat in round_table],
        "piles": piles,
        "stock": getattr(view, "stock_left", None),
        "pool": holdings.pool,
        "events": describe_events(events, view, names),
    }


def describe_steps(deal: Deal, seat: int, names: SeatNames, events_seen: int) -> list[Json]:
    """Return the table after each action since `seat` had seen so many events, but for the last one.

    A step has the number of its events in place of them: they are the first of those of the table now.
    """
    tables = [describe_table(again, seat, names) for again in deal.replay()][:-1]
    steps = [{**table, "events": len(table["events"])} for table in tables]
    return [step for step in steps if step["events"] > events_seen or not events_seen]


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
        actions = [_describe_action(view, action, group.is_plain) for _, action in group.numbered]
        groups.append({"label": label, "is_plain": group.is_plain, "actions": actions})
    kinds = dict.fromkeys([action.kind for action in view.legal])
    lessons = [text.action_lessons[kind] for kind in kinds if kind in text.action_lessons]
    return {"prompt": text.prompt(view, names), "groups": groups, "lessons": lessons}


def describe_result(deal: Deal, seat: int, names: SeatNames) -> Json:
    """Return the hands that `seat` saw at the end of a deal, best first, and what each seat won or lost.

    Equal hands have the same place; None is the place of a hand that was not seen, or not compared.
    """
    ranks = seen_ranks(deal, seat)
    ordered = sorted((rank for rank in ranks.values() if rank is not None), reverse=True)
    places = {seat: None if rank is None else 1 + ordered.index(rank) for seat, rank in ranks.items()}
    return {
        "rows": [
            {
                "seat": int(number),
                "place": places[int(number)],
                "hand": click.unstyle(hand),
                "worth": click.unstyle(words),
                "is_best": words != click.unstyle(words),  # which is printed bold
                "outcome": click.unstyle(outcome),
            }
            for number, _, hand, words, outcome in showdown_rows(deal, names.by_seat, seat)
        ]
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


def _describe_seat(
    deal: Deal, view: View, holdings: Holdings, seat: int, piles: Sequence[Json], names: SeatNames
) -> Json:
    text = get_family_text(view.opening.rules)
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
        "held": {unit: counts[seat] for unit, counts in holdings.by_unit().items()},
        "changes": {} if deal.changes is None else _list_changes(deal.changes, seat),
        "went_out": holdings.went_out[seat],
        "worth": text.hand_worth(view) if is_dealt_in and seat == view.seat else "",
        "tags": [tag for tag in text.status(view, seat) if tag] if is_dealt_in else [],
    }


def _list_changes(changes: Changes, seat: int) -> dict[str, int]:
    """Return what a deal brought a seat, by unit."""
    return {unit: counts[seat] for unit, counts in changes.by_unit().items() if counts[seat]}


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


def _describe_action(view: View, action: Action, is_plain: bool) -> Json:
    rules = view.opening.rules
    text = get_family_text(rules)
    after = view.after(action)
    made, now = rank_if_known(rules, after), rank_if_known(rules, view.hand)
    described: Json = {
        "text": view.text(action),
        "label": text.button_label(view, action),
        "note": text.menu_note(view, action) if is_plain else "",
        "places": text.action_places(view, action),
    }
    if after != view.hand:
        described["after"] = _texts(after)
        described["made"] = describe_hand(rules, after)
    if made is not None and now is not None and made > now:
        described["improves"] = True
    return described


def _texts(cards: Sequence[Card]) -> list[str]:
    return ["??" if card is HIDDEN else str(card) for card in cards]


# --- duplicate score ---
# The score of a person against a bot that played the same cards.

UNITS: Final = ("tokens", "chips", "points")
Result = Mapping[str, Any]
"""Placing and payoff of a match at one seat; of a bot also its name."""


class ComparedMatch(NamedTuple):
    """Results of a person and of a bot on the same cards."""

    game: str
    unit: str
    own: Result
    rival: Result


def find_unit(holdings: Holdings) -> str:
    """Return what a variant settles in: `tokens`, `chips` or `points`."""
    return next(unit for unit in UNITS if getattr(holdings, unit))


def compare_results(unit: str, own: Result, rival: Result) -> str:
    """Return how a person and a bot came out on the same cards: `You lost 2 tokens and came 3rd, …`."""
    return f"You {_describe(unit, own)}; {rival['bot']} {_describe(unit, rival)} on the same cards."


def sum_results(unit: str, results: Sequence[tuple[Result, Result]]) -> str:
    """Return the payoffs of a person and a bot over all matches that both have played."""
    own = sum([mine["payoff"] for mine, _ in results])
    other = sum([theirs["payoff"] for _, theirs in results])
    name = results[-1][1]["bot"]
    matches = format_count(len(results), "matches")
    return f"Over {matches}: you {format_signed(own)} {unit}, {name} {format_signed(other)}."


def sum_by_game(matches: Sequence[ComparedMatch]) -> list[tuple[str, str]]:
    """Return each game and, in words, the payoffs beside those of one bot, in the order of first matches."""
    groups: dict[tuple[str, str, str], list[tuple[Result, Result]]] = {}
    for match in matches:
        key = match.game, match.unit, match.rival["bot"]
        groups.setdefault(key, []).append((match.own, match.rival))
    return [(game, sum_results(unit, results)) for (game, unit, _), results in groups.items()]


def _describe(unit: str, result: Result) -> str:
    payoff = result["payoff"]
    if unit == "points":
        amount = f"made {format_signed(payoff)} points" if payoff else "made no points"
    elif payoff:
        amount = f"{'won' if payoff > 0 else 'lost'} {format_count(abs(payoff), unit)}"
    else:
        amount = f"kept your {unit}" if "bot" not in result else f"kept its {unit}"
    return f"{amount} and came {format_ordinal(result['placing'])}"
