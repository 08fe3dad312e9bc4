"""The menu of legal actions: numbered, similar ones together, with the hand that each makes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

import click

from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.games.rankings.base import HandRank
from arena.output.words.cards import SeatNames, color_cards, describe_hand, get_family_text, rank_if_known

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
