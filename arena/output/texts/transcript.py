"""Transcript of a match: the cards, actions, showdown and result of each deal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import click

from arena.columns.number_format import format_count
from arena.errors import RecordError
from arena.games import Deal
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.events import Event, merge_events
from arena.games.notation_writer import format_cards
from arena.output.tables.replays import fault_words, seat_name
from arena.output.texts.chance_table import MAX_NAME_CHARS, format_chances
from arena.output.texts.terminal_layout import MARGIN, align_columns, align_rows
from arena.output.words.card_colors import color_cards
from arena.output.words.family_text import get_family_text
from arena.output.words.seat_names import SeatNames
from arena.output.words.showdown import drop_showdown, format_holdings, showdown_rows
from arena.output.words.text_format import format_signed, shorten_names, strip_unprintable
from arena.play.placing_chances import Chances
from arena.play.players import Note
from arena.tournament.records import FoundRecord

MAX_TRANSCRIPT_COLUMNS: Final = 80


class Move(NamedTuple):
    """An event with what it changed."""

    event: Event
    hands: dict[int, Hand]
    """Hands that it changed, by seat."""
    table: Hand
    """The cards on the table after it; () if they are unchanged."""


def format_match(
    match: FoundRecord,
    deals: Sequence[Deal],
    number: int | None = None,
    notes: Sequence[Note] = (),
    chances: Sequence[Sequence[Chances]] | None = None,
    viewer: int | None = None,
) -> str:
    """Return the transcript of a match.

    Args:
        match: The record.
        deals: Its deals, replayed.
        number: The only deal that is shown, from 1; None for all.
        notes: Notes of the bots on their decisions.
        chances: Chances of the seats to be placed ahead, by step of each deal that is shown.
        viewer: The seat whose view is printed, cards that it did not see as `??`; None for all cards.

    Raises:
        RecordError: If the match has no such deal or seat.
    """
    if viewer is not None and viewer >= match.record.players:
        last = match.record.players - 1
        raise RecordError(f"match {match.number} has seats 0 to {last}, there is no seat {viewer}")
    if number is not None and number not in range(1, len(deals) + 1):
        raise RecordError(
            f"match {match.number} has {format_count(len(deals), 'deals')}, there is no deal {number}"
        )
    record = match.record
    bots = [seat_name(record, seat) for seat in range(record.players)]
    title = f"Match {match.number}: {match.variant}, {record.players} players"
    parts = [click.style(title, bold=True)]
    if viewer is not None:
        parts.append(f"{MARGIN}As {bots[viewer]} saw it from seat {viewer}")
    if record.block:
        parts.append(f"{MARGIN}Block {strip_unprintable(record.block)}, rotation {record.rotation}")
    shown = deals if number is None else deals[number - 1 : number]
    tables = format_chances(shown, bots, chances) if chances is not None else [""] * len(shown)
    for deal, table in zip(shown, tables, strict=True):
        parts += filter(None, [format_deal(deal, bots, notes, viewer), table])
    if number is None:
        parts += format_result(deals, bots)
    if record.faults:
        parts.append(f"{MARGIN}Faults: {', '.join(fault_words(record))}")
    return "\n\n".join(parts)


def format_deal(
    deal: Deal, bots: Sequence[str], notes: Sequence[Note] = (), viewer: int | None = None
) -> str:
    """Return the transcript of a deal, so far where it is not finished; `bots` are by seat.

    With a `viewer` it has the cards and notes of this seat, and what it saw of the others.
    """
    opening = deal.opening
    title = click.style(f"Deal {opening.number + 1}: {bots[opening.dealer]} deals", bold=True)
    names = SeatNames(tuple(shorten_names(bots, MAX_NAME_CHARS)))
    notes = [note for note in notes if viewer in (None, note.seat)]
    moves = list(list_moves(deal) if viewer is None else list_seen_moves(deal, viewer))
    parts = [title, align_columns(_dealt_rows(deal, names, viewer)), _format_moves(deal, names, moves)]
    if rows := list(_note_rows(deal, names, notes)):
        parts.append("\n".join([f"{MARGIN}Notes", align_columns(rows)]))
    if deal.changes:
        rows = showdown_rows(deal, names.by_seat, viewer)
        parts.append("\n".join(align_rows(rows, MAX_TRANSCRIPT_COLUMNS, remarks=2)))
    if deal.changes and deal.changes.pool is not None:
        parts.append(f"{MARGIN}The pool holds {format_count(deal.changes.pool, 'chips')}.")
    return "\n\n".join(parts)


def list_moves(deal: Deal) -> Iterator[Move]:
    """Yield the events of a deal without the hands shown at its end."""
    public, hands = None, list[Hand]()
    table: Hand = ()
    for again, event in zip(deal.replay(), (None, *deal.log), strict=True):
        before, table = table, _table(again)
        if event:
            changed = {seat: hand for seat, hand in enumerate(again.hands) if hand != hands[seat]}
            yield Move(event, changed, () if table == before else table)
        yield from _table_moves(again, public)
        public, hands = again.public, list(again.hands)


def list_seen_moves(deal: Deal, viewer: int) -> Iterator[Move]:
    """Yield the events of a deal as a seat saw them, with its own hand, without those shown at the end."""
    public = private = hand = table = None
    for again in deal.replay():
        view, aside = again.view(viewer), again.private_events[viewer]
        is_new = hand is not None
        hands = {viewer: view.hand} if is_new and view.hand != hand else {}
        laid = view.table if is_new and view.table != table else ()
        events = drop_showdown(merge_events(again.public, aside, public, private), again)
        for event in events:
            is_last = event is events[-1]
            yield Move(event, hands if is_last else {}, laid if is_last else ())
        public, private, hand, table = again.public, aside, view.hand, view.table


def _table_moves(deal: Deal, since: Event | None) -> Iterator[Move]:
    events = [event for event in merge_events(deal.public, None, since) if event.seat is None]
    return (Move(event, {}, ()) for event in drop_showdown(events, deal))


def _table(deal: Deal) -> Hand:
    """Return the cards on the table as the dealer sees them."""
    return deal.view(deal.opening.dealer).table


def _dealt_rows(deal: Deal, names: SeatNames, viewer: int | None) -> Iterator[list[str]]:
    opening, hands, table = deal.opening, list(deal.dealt), deal.table_dealt
    if viewer is not None:
        view = next(deal.replay()).view(viewer)
        hands = [(HIDDEN,) * len(hand) for hand in hands]
        hands[viewer], table = view.hand, view.table
    for seat in opening.order:
        yield [str(seat), names[seat], _cards(hands[seat]), format_holdings(opening.holdings, seat)]
    if table:
        yield ["", get_family_text(opening.rules).table_name, _cards(table)]


def _format_moves(deal: Deal, names: SeatNames, moves: Sequence[Move]) -> str:
    """Return the events in words and notation; in notation alone where the lines would become too long."""
    text = align_columns(_move_rows(deal, moves, names, in_words=True))
    if max(map(len, click.unstyle(text).splitlines()), default=0) <= MAX_TRANSCRIPT_COLUMNS:
        return text
    return align_columns(_move_rows(deal, moves, names, in_words=False))


def _move_rows(deal: Deal, moves: Iterable[Move], names: SeatNames, *, in_words: bool) -> Iterator[list[str]]:
    family = get_family_text(deal.opening.rules)
    for event, hands, table in moves:
        subject, words = family.describe(event, names)
        if event.seat is None:
            yield ["", "" if subject is None else names[subject], color_cards(words)]
        else:
            done = [color_cards(words)] if in_words else []
            done.append(event.action.text(event.cards))
            own = _cards(hands.get(event.seat, ()))
            yield [str(event.seat), names[event.seat], *done, own, _cards(table)]
        for seat, hand in hands.items():
            if seat != event.seat:
                yield [str(seat), names[seat], "now has", *([""] if in_words else []), _cards(hand)]


def _note_rows(deal: Deal, names: SeatNames, notes: Sequence[Note]) -> Iterator[list[str]]:
    for note in notes:
        if note.deal == deal.opening.number and note.action < len(deal.log):
            event = deal.log[note.action]
            text = event.action.text(event.cards)
            yield [str(note.seat), names[note.seat], text, strip_unprintable(note.text)]


def format_result(deals: Sequence[Deal], bots: Sequence[str]) -> list[str]:
    """Return the placings and payoffs; nothing if the record stops before the end of the match."""
    last, start = deals[-1].opening, deals[0].opening.holdings
    settlement, changes = last.rules.settlement, deals[-1].changes
    assert changes is not None
    after = settlement.apply_changes(last.holdings, changes, last.number)
    if not settlement.is_over(after, last.number + 1):
        return []
    placings, payoffs = settlement.placings(after, start), settlement.payoffs(after, start)
    results = sorted(zip(placings, payoffs, bots, strict=True))
    rows = [[str(placing), bot, format_signed(payoff)] for placing, payoff, bot in results]
    return [click.style("The match is over", bold=True), align_columns(rows)]


def _cards(hand: Iterable[Card]) -> str:
    return color_cards(format_cards(tuple(hand)))
