"""A match as a person follows it: each deal with its cards, its moves, its showdown and what it cost."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import click

from arena.errors import InvalidNotation, RecordError
from arena.games import Deal
from arena.games.cards import Card, Hand
from arena.games.events import Event
from arena.games.hands import HandRank
from arena.games.notation import format_cards
from arena.play.records.record import restart_deal
from arena.report.action_text import table_words, words
from arena.report.card_colors import color_cards
from arena.report.replays import fault_words, seat_name
from arena.report.showdown import format_holdings, showdown_rows
from arena.report.terminal_layout import MARGIN, align_columns
from arena.report.text_format import format_count, format_signed, strip_unprintable, truncate
from arena.tournament.files.record_files import FoundRecord

TABLES: Final = {"exchange": "widow", "draw": "discard", "cambio": "discard"}
"""What lies on the table, by family."""
WIDEST: Final = 80
LONGEST_NAME: Final = 13
FOR_A_SEAT: Final = ("show ", "replace ", "penalty ")
"""What the table does for one seat, by the beginning of its notation."""
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


def format_match(one: FoundRecord, deals: Sequence[Deal], wanted: int | None = None) -> str:
    """A match with all its deals, or with the one of that number, from 1.

    `deals` are those of its record, played again. Raises: RecordError, if there is no such deal.
    """
    if wanted is not None and wanted not in range(1, len(deals) + 1):
        raise RecordError(
            f"match {one.number} has {format_count(len(deals), 'deals')}, there is no deal {wanted}"
        )
    told = one.told
    bots = [seat_name(told, seat) for seat in range(told.players)]
    title = f"Match {one.number}: {one.variant}, {told.players} players"
    parts = [click.style(title, bold=True)]
    if told.block:
        parts.append(f"{MARGIN}Block {strip_unprintable(told.block)}, rotation {told.rotation}")
    shown = deals if wanted is None else deals[wanted - 1 : wanted]
    parts += [format_deal(deal, bots) for deal in shown]
    if wanted is None:
        parts += _end(deals, bots)
    if told.faults:
        parts.append(f"{MARGIN}Faults: {', '.join(fault_words(told))}")
    return "\n\n".join(parts)


def format_deal(deal: Deal, bots: Sequence[str]) -> str:
    """A finished deal, told with the names of its bots by seat."""
    opening = deal.opening
    title = click.style(f"Deal {opening.number + 1}: {bots[opening.dealer]} deals", bold=True)
    bots = [truncate(bot, LONGEST_NAME) for bot in bots]
    parts = [align_columns(_dealt(deal, bots)), _played(deal, bots), align_columns(_shown(deal, bots))]
    if deal.changes and deal.changes.pool is not None:
        parts.append(f"{MARGIN}The pool holds {format_count(deal.changes.pool, 'chips')}.")
    return "\n\n".join([title, *parts])


def list_moves(deal: Deal) -> Iterator[Move]:
    """What seats and table did in a finished deal, but for the showing of hands at its end."""
    again = restart_deal(deal)
    yield from _by_table(again, None)
    for code, event in zip(deal.action_indices, deal.log, strict=True):
        told, hands, table, drawn = again.public, list(again.hands), _table(again), len(again.stock.drawn)
        again.apply(again.legal_actions.actions[code])
        changed = {seat: hand for seat, hand in enumerate(again.hands) if hand != hands[seat]}
        seen = event.cards if event.action.kind == "peek" else tuple(again.stock.drawn[drawn : drawn + 1])
        yield Move(event, changed, () if _table(again) == table else _table(again), seen)
        yield from _by_table(again, told)


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
        yield [str(seat), bots[seat], _cards(deal.dealt[seat]), format_holdings(opening.holdings, seat)]
    if deal.table_dealt:
        yield ["", TABLES.get(opening.rules.family, "table"), _cards(deal.table_dealt)]


def _played(deal: Deal, bots: Sequence[str]) -> str:
    """What was done, in words too unless the lines would become too long."""
    told = list(list_moves(deal))
    in_full = align_columns(_rows(told, bots, in_words=True))
    if max(map(len, click.unstyle(in_full).splitlines()), default=0) <= WIDEST:
        return in_full
    return align_columns(_rows(told, bots, in_words=False))


def _rows(told: Iterable[Move], bots: Sequence[str], *, in_words: bool) -> Iterator[list[str]]:
    for move in told:
        event, hands, table, seen = move
        notation = event.action.text(event.cards)
        if event.seat is None:
            yield _by_table_row(notation, bots)
        else:
            own = _cards(hands.get(event.seat, ()))
            said = [words(notation), notation] if in_words else [notation]
            if event.action.kind in LOOKS and seen:
                said[0] += f": {_cards(seen)}"
            yield [str(event.seat), bots[event.seat], *said, own, _cards(table)]
        for seat, hand in hands.items():
            if seat != event.seat:
                yield [str(seat), bots[seat], "now has", *([""] if in_words else []), _cards(hand)]


def _by_table_row(notation: str, bots: Sequence[str]) -> list[str]:
    """What the table did, beside the name of the seat that it was done for, if there is one."""
    seat = notation.split()[1] if notation.startswith(FOR_A_SEAT) else ""
    if not seat:
        return ["", "", color_cards(table_words(notation, bots))]
    told = table_words(notation, [""] * len(bots)).strip()
    return ["", bots[int(seat.partition(":")[0])], color_cards(told)]


def _shown(deal: Deal, bots: Sequence[str]) -> list[list[str]]:
    """The hands at the end, the best first, and what they cost and earned."""
    assert deal.changes is not None
    hands = {seat: deal.format_hand(seat) for seat in deal.opening.order}
    ranks = {seat: _rank(deal, seat) for seat in deal.opening.order}
    return showdown_rows(deal.opening, hands, ranks, deal.changes, bots)


def _end(deals: Sequence[Deal], bots: Sequence[str]) -> list[str]:
    """How the match ended, if its record goes so far."""
    last, start = deals[-1].opening, deals[0].opening.holdings
    settlement, changes = last.rules.settlement, deals[-1].changes
    assert changes is not None
    after = settlement.apply_changes(last.holdings, changes, last.number)
    if not settlement.is_over(after, last.number + 1):
        return []
    results = sorted(zip(settlement.placings(after), settlement.payoffs(after, start), bots, strict=True))
    rows = [[str(placing), bot, format_signed(payoff)] for placing, payoff, bot in results]
    return [click.style("The match is over", bold=True), align_columns(rows)]


def _rank(deal: Deal, seat: int) -> HandRank | None:
    try:
        return deal.rank_hand(seat)
    except InvalidNotation:  # a game that does not compare hands such as this
        return None


def _cards(hand: Iterable[Card]) -> str:
    return color_cards(format_cards(tuple(hand)))
