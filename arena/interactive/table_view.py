"""The table as one seat may know it: who holds what, what lies there, and one's own hand."""

from functools import singledispatch

import click

from arena.games import View
from arena.games.barter.view import BarterView
from arena.games.cambio.view import CambioView
from arena.games.cards import HIDDEN, Hand
from arena.games.cox.rules import CoxRules
from arena.games.cox.scoring import ExposedCards
from arena.games.cox.view import CoxView
from arena.games.cuckoo.view import CuckooView
from arena.games.draw.view import DrawView
from arena.games.exchange.view import ExchangeView
from arena.games.notation import format_cards
from arena.interactive.seat_names import SeatNames
from arena.report.card_colors import color_cards
from arena.report.hand_text import describe_hand, rank_if_known
from arena.report.showdown import format_holdings
from arena.report.terminal_layout import align_columns
from arena.report.text_format import format_count


def table_text(view: View, names: SeatNames) -> str:
    """The seats in the order of turns, with what each has and what is known of its hand; then the table."""
    rows = [[*_seat(view, seat, names), _hand_text(view, seat), _marks(view, seat)] for seat in view.order]
    lines = align_columns([*rows, *lying(view)]).splitlines()
    own = view.order.index(view.seat) if view.seat in view.order else -1
    painted = [color_cards(line) for line in lines]
    return "\n".join(
        click.style(">", bold=True) + line[1:] if number == own else line
        for number, line in enumerate(painted)
    )


def _seat(view: View, seat: int, names: SeatNames) -> list[str]:
    return [str(seat), names[seat], format_holdings(view.holdings, seat)]


@singledispatch
def lying(view: View) -> list[list[str]]:
    """What lies on the table, a row a thing, in the columns of the seats."""
    return _pool(view)


@lying.register
def _(view: ExchangeView) -> list[list[str]]:
    return [["", "widow", "", format_cards(view.widow), ""], *_pool(view)]


@lying.register
def _(view: DrawView) -> list[list[str]]:
    return _discard(view.discard, view.stock_left)


@lying.register
def _(view: CambioView) -> list[list[str]]:
    return _discard(view.discard, view.stock_left)


@lying.register
def _(view: CoxView) -> list[list[str]]:
    latest = f"{view.discard} may be bought" if view.discard else format_cards(view.discards[-1:])
    bases = "-".join(map(str, view.bases))
    rack = [["", "your rack", "", format_cards(view.hand), f"counts {points_now(view)}"]]
    return [*rack, ["", "discard", "", latest, ""], ["", "stock", "", f"bases of {bases} cards", ""]]


def _discard(discards: Hand, stock_left: int) -> list[list[str]]:
    top = format_cards(discards[-1:]) or "none"
    return [["", "discard", "", top, ""], ["", "stock", "", f"{stock_left} cards", ""]]


def _pool(view: View) -> list[list[str]]:
    pool = view.holdings.pool
    return [] if pool is None else [["", "pool", format_count(pool, "chips"), "", ""]]


@singledispatch
def _hand_text(view: View, seat: int) -> str:
    """What is known of a hand, covers for the rest."""
    if seat == view.seat:
        return format_cards(view.hand)
    known = view.known[seat] if view.known else ()
    covers = [HIDDEN] * (view.opening.rules.hand_size - len(known))
    return format_cards((*known, *covers))


@_hand_text.register
def _(view: CambioView, seat: int) -> str:
    return format_cards(view.known[seat])


@_hand_text.register
def _(view: CoxView, seat: int) -> str:
    laid = [f"[{format_cards(cards)}]" for cards in view.sets[seat]]
    money = format_cards(view.greenbacks[seat])
    in_rack = len(view.hand) if seat == view.seat else view.opening.rules.hand_size - 3 * len(laid)
    return " ".join([*laid, *filter(None, [money]), f"+{in_rack}"])


@singledispatch
def _marks(view: View, seat: int) -> str:
    """What else there is to say of a seat."""
    marks = [describe_hand(view.opening.rules, view.hand)] if seat == view.seat else []
    marks += ["deals"] if seat == view.dealer else []
    if isinstance(view, ExchangeView | DrawView) and view.knocker == seat:
        marks.append("has knocked")
    return ", ".join(filter(None, marks))


@_marks.register
def _(view: BarterView, seat: int) -> str:
    marks = [describe_hand(view.opening.rules, view.hand)] if seat == view.seat else []
    marks += ["deals"] if seat == view.dealer else []
    marks += ["stands"] if seat in view.satisfied else []
    return ", ".join(filter(None, marks))


@_marks.register
def _(view: CuckooView, seat: int) -> str:
    marks = ["deals"] if seat == view.dealer else []
    if seat == view.seat and view.dealt != view.hand:
        marks.append(f"dealt {format_cards(view.dealt)}")
    if seat == view.seat and view.further:
        marks.append(f"with {format_cards(view.further)}")
    return ", ".join(marks)


@_marks.register
def _(view: CambioView, seat: int) -> str:
    marks = [_sum(view)] if seat == view.seat else []
    marks += ["deals"] if seat == view.dealer else []
    marks += ["has called"] if seat == view.caller else []
    return ", ".join(marks)


def _sum(view: CambioView) -> str:
    seen = tuple([card for card in view.hand if card is not HIDDEN])
    rank = rank_if_known(view.opening.rules, seen)
    total = f"{rank.value:g}" if rank and rank.value is not None else "0"
    unseen = len(view.hand) - len(seen)
    return f"sum {total}, {unseen} unseen" if unseen else f"sum {total}"


@_marks.register
def _(view: CoxView, seat: int) -> str:
    return f"base {view.numbers[seat]}"


def points_now(view: CoxView) -> int:
    """What the own hand would score if it were counted now."""
    rules = view.opening.rules
    assert isinstance(rules, CoxRules)
    laid = ExposedCards(view.sets[view.seat], view.greenbacks[view.seat], view.numbers[view.seat])
    return rules.scoring.score(view.hand, laid, None).points
