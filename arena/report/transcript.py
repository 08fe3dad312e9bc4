"""A match as a person follows it: each deal with its cards, its moves, its showdown and what it cost."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import click
from tabulate import tabulate

from arena.errors import InvalidNotation, RecordError
from arena.games import Deal
from arena.games.cards import Card, Hand, write
from arena.games.deck import RecordedStock
from arena.games.events import Event
from arena.games.hands import HandRank
from arena.games.settle import Changes, Holdings
from arena.report.replays import fault_words, seat_name
from arena.report.words import counted, printable, signed, table_words, words
from arena.tournament.replays import Found

TABLES: Final = {"exchange": "widow", "draw": "discard", "cambio": "discard"}
"""What lies on the table, by family."""
RED: Final = {"H", "D"}
SETTLED_IN: Final = ("tokens", "chips", "points")
MARGIN: Final = "  "
LOOKS: Final = {"draw", "peek"}
"""Actions by which a seat sees a card that their notation does not name."""


class Move(NamedTuple):
    """Something that was done."""

    event: Event
    hands: dict[int, Hand]
    """By seat, the hands that it changed."""
    table: Hand
    """What lies on the table after it; () if it lies there as before."""
    seen: Hand
    """The card that was drawn for it or looked at, which its notation does not name."""


def match_text(one: Found, deals: Sequence[Deal], wanted: int | None = None) -> str:
    """A match with all its deals, or with the one of that number, from 1.

    `deals` are those of its record, played again. Raises: RecordError, if there is no such deal.
    """
    if wanted is not None and wanted not in range(1, len(deals) + 1):
        raise RecordError(f"match {one.number} has {counted(len(deals), 'deals')}, there is no deal {wanted}")
    told = one.told
    bots = [seat_name(told, seat) for seat in range(told.players)]
    title = f"Match {one.number}: {one.variant}, {told.players} players"
    parts = [click.style(title, bold=True)]
    if told.block:
        parts.append(f"{MARGIN}Block {printable(told.block)}, rotation {told.rotation}")
    shown = deals if wanted is None else deals[wanted - 1 : wanted]
    parts += [deal_text(deal, bots) for deal in shown]
    if wanted is None:
        parts += _end(deals, bots)
    if told.faults:
        parts.append(f"{MARGIN}Faults: {', '.join(fault_words(told))}")
    return "\n\n".join(parts)


def deal_text(deal: Deal, bots: Sequence[str]) -> str:
    """A finished deal, told with the names of its bots by seat."""
    opening = deal.opening
    title = click.style(f"Deal {opening.number + 1}: {bots[opening.dealer]} deals", bold=True)
    parts = [_aligned(_dealt(deal, bots)), _aligned(_played(deal, bots)), _aligned(_shown(deal, bots))]
    if deal.changes and deal.changes.pool is not None:
        parts.append(f"{MARGIN}The pool holds {counted(deal.changes.pool, 'chips')}.")
    return "\n\n".join([title, *parts])


def moves(deal: Deal) -> Iterator[Move]:
    """What seats and table did in a finished deal, but for the showing of hands at its end."""
    again = _dealt_again(deal)
    yield from _by_table(again, None)
    for code, event in zip(deal.codes, deal.log, strict=True):
        told, hands, table, drawn = again.public, list(again.hands), _table(again), len(again.stock.drawn)
        again.apply(again.choices.actions[code])
        changed = {seat: hand for seat, hand in enumerate(again.hands) if hand != hands[seat]}
        seen = event.cards if event.action.kind == "peek" else tuple(again.stock.drawn[drawn : drawn + 1])
        yield Move(event, changed, () if _table(again) == table else _table(again), seen)
        yield from _by_table(again, told)


def _dealt_again(deal: Deal) -> Deal:
    """The same deal before its first action."""
    rules = deal.opening.rules
    left = rules.whole_pack.without([card for hand in (*deal.dealt, deal.table_dealt) for card in hand])
    stock = RecordedStock(left, deal.stock_told)
    return rules.deal(deal.opening, deal.dealt, deal.table_dealt, stock)


def _by_table(deal: Deal, told: Event | None) -> list[Move]:
    """What the table has done since an event."""
    done = []
    event = deal.public
    while event is not told:
        assert event is not None
        if event.seat is None:
            done.append(Move(event, {}, (), ()))
        event = event.before
    hands = len(deal.opening.order)
    if deal.changes and all(move.event.action.kind == "show" for move in done[:hands]):
        done = done[hands:]
    return done[::-1]


def _table(deal: Deal) -> Hand:
    """What lies on the table, as the dealer sees it."""
    return deal.view(deal.opening.dealer).table


def _dealt(deal: Deal, bots: Sequence[str]) -> Iterator[list[str]]:
    """Who has what at the beginning, in the order of turns, and what lies on the table."""
    opening = deal.opening
    for seat in opening.order:
        yield [str(seat), bots[seat], _cards(deal.dealt[seat]), _held(opening.holdings, seat)]
    if deal.table_dealt:
        yield ["", TABLES.get(opening.rules.family, "table"), _cards(deal.table_dealt)]


def _played(deal: Deal, bots: Sequence[str]) -> Iterator[list[str]]:
    for event, hands, table, seen in moves(deal):
        notation = event.action.text(event.cards)
        if event.seat is None:
            yield ["", "", table_words(notation, bots), notation]
        else:
            own = _cards(hands.get(event.seat, ()))
            told = (
                f"{words(notation)}: {_cards(seen)}"
                if event.action.kind in LOOKS and seen
                else words(notation)
            )
            yield [str(event.seat), bots[event.seat], told, notation, own, _cards(table)]
        for seat, hand in hands.items():
            if seat != event.seat:
                yield [str(seat), bots[seat], "now has", "", _cards(hand)]


def _shown(deal: Deal, bots: Sequence[str]) -> Iterator[list[str]]:
    """The hands at the end, the best first, and what they cost and earned."""
    opening, changes = deal.opening, deal.changes
    assert changes is not None
    after = opening.rules.settlement.after(opening.holdings, changes, opening.number)
    ranks = {seat: _rank(deal, seat) for seat in opening.order}
    for seat in sorted(opening.order, key=lambda seat: ranks[seat] or (), reverse=True):
        outcome = _outcome(changes, after, seat, opening.number)
        yield [str(seat), bots[seat], _coloured(deal.hand_text(seat)), _category(ranks[seat]), outcome]


def _end(deals: Sequence[Deal], bots: Sequence[str]) -> list[str]:
    """How the match ended, if its record goes so far."""
    last, start = deals[-1].opening, deals[0].opening.holdings
    settlement, changes = last.rules.settlement, deals[-1].changes
    assert changes is not None
    after = settlement.after(last.holdings, changes, last.number)
    if not settlement.is_over(after, last.number + 1):
        return []
    results = sorted(zip(settlement.placings(after), settlement.payoffs(after, start), bots, strict=True))
    rows = [[str(placing), bot, signed(payoff)] for placing, payoff, bot in results]
    return [click.style("The match is over", bold=True), _aligned(rows)]


def _rank(deal: Deal, seat: int) -> HandRank | None:
    try:
        return deal.rank(seat)
    except InvalidNotation:  # a game that does not compare hands such as this
        return None


def _category(rank: HandRank | None) -> str:
    if rank is None:
        return ""
    return rank.category if rank.value is None else f"{rank.category} {rank.value:g}"


def _held(holdings: Holdings, seat: int) -> str:
    counts = [(getattr(holdings, things), things) for things in SETTLED_IN]
    return ", ".join(counted(held[seat], things) for held, things in counts if held)


def _outcome(changes: Changes, after: Holdings, seat: int, number: int) -> str:
    """What a deal has brought to a seat."""
    told = []
    for things in SETTLED_IN:
        change, held = getattr(changes, things), getattr(after, things)
        if change and change[seat]:
            told.append(_gain(change[seat], things, held[seat]))
    if after.went_out[seat] == number:
        told.append(click.style("is out", bold=True))
    return "; ".join(told)


def _gain(change: int, things: str, held: int) -> str:
    """What is won or lost; points are neither, in some games the fewest win."""
    if things == "points":
        return f"scores {counted(change, things)}, has {held}"
    if change > 0:
        return click.style(f"wins {counted(change, things)}, has {held}", fg="green")
    return click.style(f"loses {counted(-change, things)}, has {held}", fg="red")


def _cards(hand: Iterable[Card]) -> str:
    return _coloured(write(hand))


def _coloured(cards: str) -> str:
    return " ".join(click.style(card, fg="red") if card[-1] in RED else card for card in cards.split())


def _aligned(rows: Iterable[list[str]]) -> str:
    table = tabulate(list(rows), tablefmt="plain", disable_numparse=True, colalign=["right"])
    return "\n".join(f"{MARGIN}{line.rstrip()}" for line in table.splitlines())
