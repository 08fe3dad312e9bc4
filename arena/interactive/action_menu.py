"""What one may do, as a person reads it: numbered, what is alike together, with what it makes of the hand."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

import click

from arena.games import View
from arena.games.action import Action
from arena.games.barter.rules import BarterRules
from arena.games.barter.view import BarterView
from arena.games.cambio.actions import (
    DISCARD,
    DRAW_DISCARD,
    PowerStep,
    peek_any,
    peek_other,
    peek_own,
    swap_any,
    swap_own,
)
from arena.games.cambio.rules import CambioRules
from arena.games.cambio.view import CambioView
from arena.games.cards import HIDDEN
from arena.games.draw.view import DrawView
from arena.games.exchange.view import ExchangeView
from arena.games.hands import HandRank
from arena.interactive.seat_names import SeatNames
from arena.report.card_colors import color_cards
from arena.report.hand_text import describe_hand, rank_if_known
from arena.report.text_format import format_count

T = TypeVar("T")

MANY: Final = 16
"""Of so many actions alike, not each is listed."""
GAP: Final = "   "
AT_ONCE: Final = " at once"
BESIDE: Final = 10  # columns beside a grid
INDENT: Final = "  "
LABELS: Final = {
    "give": "give",
    "discard": "discard",
    "place": "put it in place of",
    "peek": "look at",
    "swap": "swap",
    "snap": "snap",
    "lay": "lay out",
}
"""What stands before actions alike."""
MEANINGS: Final = {
    "keep": "play with what you have",
    "swap": "with the next player, or as the dealer with the stock",
    "take": "take the second packet unseen",
    "turn": "turn the widow up",
    "pounce": "take the fourth card",
    "leave": "let it go by",
    "horse": "buy a horse, and play on",
    "no-horse": "buy none, and be out",
    "decline": "give nothing",
    "continue": "go on",
    "cambio": "call, and let the others have one more turn each",
    "skip": "do without",
    "hold": "lay nothing out",
    "sell": "sell out, and end the hand",
    "renew": "lay out a new widow",
}
"""What actions without cards are, where their names do not say it."""

POWERS: Final[dict[PowerStep, str]] = {
    peek_own: "look at one of yours",
    peek_other: "look at another's",
    peek_any: "look at any card",
    swap_own: "swap two",
    swap_any: "swap any two",
}
"""What the powers of discarded cards let one do."""


class Group(NamedTuple):
    """Actions that are alike, with their numbers."""

    kind: str
    size: int
    """How many cards are given."""
    numbered: list[tuple[int, Action]]


def format_menu(view: View, names: SeatNames, columns: int) -> str:
    """All that may be done. An action's number is its place among the legal ones, from 1."""
    lines: list[str] = []
    words: list[str] = []
    for group in groups(view):
        if _is_word(group):
            words += [_in_words(view, number, action) for number, action in group.numbered]
        elif isinstance(view, ExchangeView) and group.kind == "exchange" and group.size == 1:
            lines += _grid(view, group, columns)
        else:
            lines += _listed(view, group, names, columns)
    return color_cards("\n".join([*lines, *_in_a_row(words, columns)]))


def groups(view: View) -> list[Group]:
    """What may be done, what is alike together, in the order of the legal actions."""
    numbered = enumerate(view.legal, 1)
    alike = groupby(numbered, key=lambda one: (one[1].kind, len(one[1].give), bool(_arguments(one[1]))))
    return [Group(kind, size, list(own)) for (kind, size, _), own in alike]


def _arguments(action: Action) -> str:
    return action.template.partition(" ")[2] or (action.template if action.named_count else "")


def _is_word(group: Group) -> bool:
    """Whether these are actions that name neither cards nor places."""
    return group.kind == "draw" or not any(_arguments(action) for _, action in group.numbered)


# --- words ---


def _in_words(view: View, number: int, action: Action) -> str:
    """An action that is a word, with what it means."""
    meaning = MEANINGS.get(action.template, "")
    if action.template == "*":
        made = describe_hand(view.opening.rules, view.after(action))
        meaning = f"all for all, {made}" if made else "all for all"
    elif action.take and action.kind == "draw":
        meaning = str(view.table[0])
    elif action is DRAW_DISCARD and isinstance(view, CambioView):
        meaning = str(view.discard[-1])
    elif action is DISCARD and isinstance(view, CambioView):
        meaning = _power(view)
    return _item(number, f"{action.template}: {meaning}" if meaning else action.template)


def _power(view: CambioView) -> str:
    """What one may do who discards the card just drawn."""
    rules = view.opening.rules
    assert isinstance(rules, CambioRules)
    steps = rules.powers.get(view.drawn, ()) if view.drawn else ()
    return "; ".join(POWERS[step] for step in steps)


# --- exchanges of one card: a grid of what is given and what is taken ---


def _grid(view: ExchangeView, group: Group, columns: int) -> Iterator[str]:
    """A row a card that may be given, a column a card that may be taken; better hands stand out."""
    rules = view.opening.rules
    now = rank_if_known(rules, view.hand)
    by_slots = {(action.give[0], action.take[0]): (number, action) for number, action in group.numbered}
    gives = sorted({give for give, _ in by_slots})
    takes = sorted({take for _, take in by_slots})
    made = {slots: describe_hand(rules, view.after(action)) for slots, (_, action) in by_slots.items()}
    width = max(len(text) for text in made.values()) + 3
    fitting = max((columns - BESIDE + len(GAP)) // (width + len(GAP)), 1)
    for part in _rows(takes, fitting):
        header = GAP.join(f"{f'   {view.widow[take]}':{width}}" for take in part)
        yield f"{INDENT}{'':6}for{header}".rstrip()
        for give in gives:
            cells = []
            for take in part:
                number, action = by_slots[give, take]
                cell = f"{number:2} {made[give, take]}"
                better = _is_better(rank_if_known(rules, view.after(action)), now)
                cells.append(_standing_out(cell, width) if better else f"{cell:{width}}")
            card = f"#{give + 1}" if view.hand[give] is HIDDEN else str(view.hand[give])
            yield f"{INDENT}give {card:2}  {GAP.join(cells)}".rstrip()


def _is_better(rank: HandRank | None, now: HandRank | None) -> bool:
    return rank is not None and now is not None and rank > now


def _standing_out(cell: str, width: int) -> str:
    return click.style(cell, bold=True) + " " * (width - len(cell))


# --- lists ---


def _listed(view: View, group: Group, names: SeatNames, columns: int) -> Iterator[str]:
    label = _label(view, group, names)
    if len(group.numbered) > MANY:
        first, last = group.numbered[0][0], group.numbered[-1][0]
        yield f"{INDENT}{first}-{last}  {label.removesuffix(AT_ONCE)}, {_in_short(view, group)}"
        return
    yield f"{INDENT}{label}"
    items = [_item(number, _told(view, action, names)) for number, action in group.numbered]
    yield from _in_columns(items, columns)


def _in_short(view: View, group: Group) -> str:
    """How many actions there are, and one of them: the one that makes the best hand, if that is known."""
    rules, (_, example) = view.opening.rules, group.numbered[0]
    made = {one: rank_if_known(rules, view.after(action)) for one, action in group.numbered}
    known = {one: rank for one, rank in made.items() if rank is not None}
    if len(known) < len(made) or not isinstance(view, ExchangeView):
        return f"{len(made)} ways: such as {view.text(example)}"
    best = max(known, key=lambda one: known[one])
    action = view.legal[best - 1]
    return f"{len(made)} ways: best {best} {view.text(action)}  {describe_hand(rules, view.after(action))}"


def _label(view: View, group: Group, names: SeatNames) -> str:
    match view, group.kind:
        case ExchangeView(), "exchange":
            return f"{group.size} cards{AT_ONCE}"
        case BarterView(), "trade":
            rules = view.opening.rules
            assert isinstance(rules, BarterRules)
            price = 0 if view.seat == view.dealer else rules.settlement.price
            costs = f"costs {format_count(price, 'chips')}" if price else "costs nothing"
            return f"trade a card for one of the stock, unseen ({costs})"
        case BarterView(), "barter":
            return "barter: offer a card to the next player"
        case BarterView(), "give":
            return "give a card for it, unseen"
    return LABELS.get(group.kind, group.kind)


def _told(view: View, action: Action, names: SeatNames) -> str:
    """An action among those like it, and what it makes of the hand."""
    text = view.text(action)
    _, space, what = text.partition(" ")
    short = what if space else text
    match view:
        case ExchangeView():
            made = describe_hand(view.opening.rules, view.after(action))
            return f"{short}  {made}".rstrip()
        case DrawView():
            return f"{short}, leaves {describe_hand(view.opening.rules, view.after(action))}"
        case CambioView():
            return _told_at_cambio(view, action, short, names)
    return short


def _told_at_cambio(view: CambioView, action: Action, short: str, names: SeatNames) -> str:
    if action.kind in ("place", "give"):
        return str(view.hand[int(short) - 1])
    spots = [f"{names.of(int(spot[0]))} {spot[2:]}" for spot in short.split() if spot[1:2] == ":"]
    return f"{short} ({' and '.join(spots)})" if spots else short


def _item(number: int, text: str) -> str:
    return f"{number:2} {text}"


def _in_columns(items: Sequence[str], columns: int) -> Iterator[str]:
    """Items beside each other, as many as fit."""
    widest = max(map(len, items))
    fitting = max((columns - len(INDENT) * 2 + len(GAP)) // (widest + len(GAP)), 1)
    for row in _rows(items, fitting):
        yield (INDENT * 2 + GAP.join(f"{item:{widest}}" for item in row)).rstrip()


def _in_a_row(items: Sequence[str], columns: int) -> Iterator[str]:
    """Items of any length one after the other, on a new line where they do not fit."""
    line = ""
    for item in items:
        if line and len(INDENT) * 2 + len(line) + len(GAP) + len(item) > columns:
            yield INDENT * 2 + line
            line = ""
        line += f"{GAP if line else ''}{item}"
    if line:
        yield INDENT * 2 + line


def _rows(items: Sequence[T], length: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), length):
        yield items[start : start + length]
