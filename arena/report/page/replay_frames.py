"""Frames of the replay viewer: what each step of a deal changed, who knows it, and who is winning."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from arena.games import Deal, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Hand
from arena.games.events import Event, PrivateEvent, merge_events
from arena.games.hands import HandRank
from arena.games.notation import format_cards
from arena.games.settlement.base import Holdings
from arena.play.records.record import restart_deal
from arena.play.suggested_actions import Suggestions
from arena.report.family_text import get_family_text
from arena.report.family_text.base import Pile
from arena.report.hand_text import describe_rank
from arena.report.seat_names import SeatNames
from arena.report.showdown import drop_showdown

UNITS: Final = ("tokens", "chips", "points", "pool")
CLOSING_ACTIONS: Final = {"knock", "cambio", "stand", "sell", "pounce"}
"""Actions that are turning points whatever they do to the hands."""
BY_SEAT: Final = ("hands", "known", "ranks")
"""Parts of a snapshot that a frame gives for changed seats only."""
Json = dict[str, Any]


class FrameLine(NamedTuple):
    """An event: the seat it is about (None: no seat), its notation, its words."""

    seat: int | None
    notation: str
    words: str


def build_frames(deal: Deal, bots: Sequence[str], answers: Suggestions | None = None) -> Json:
    """Return a finished deal as the viewer reads it: opening, frames, turning points, result.

    `answers` are those of other bots.
    """
    recorder = FrameRecorder(deal, bots)
    frames = [recorder.record_opening(), *recorder.record_actions(answers)]
    opening, changes = deal.opening, deal.changes
    assert changes is not None
    after = opening.rules.settlement.apply_changes(opening.holdings, changes, opening.number)
    return {
        "number": opening.number,
        "dealer": opening.dealer,
        "order": opening.order,
        "roles": dict(zip(opening.rules.roles, opening.roles, strict=True)),
        "frames": frames,
        "turning_points": recorder.turning_points,
        "changes": changes.result(),
        "after": _holdings(after),
        "out": [seat for seat, went in enumerate(after.went_out) if went == opening.number],
    }


class FrameRecorder:
    """Plays a finished deal again and records the changes of each step."""

    def __init__(self, deal: Deal, bots: Sequence[str]) -> None:
        self._finished = deal
        self._deal = restart_deal(deal)
        self._text = get_family_text(deal.opening.rules)
        self._names = SeatNames(tuple(bots))
        self._seats = range(deal.opening.players)
        self._snapshot: Json = {}
        self._known_lines: dict[tuple[int | None, Action, Hand], FrameLine] = {}
        self._news: list[Event] = []
        self._known: list[tuple[Hand, ...]] = []
        self._masks: dict[int, tuple[object, list[int]]] = {}
        self._rank_bases: dict[int, tuple[object, ...]] = {}
        self._ranks: dict[int, HandRank] = {}
        self._rank_words: dict[int, str] = {}
        self._leaders: list[int] = []
        self.turning_points: list[tuple[int, str]] = []
        """Frame number and explanation; empty where the action explains itself."""

    def record_opening(self) -> Json:
        """Return the frame before the first action."""
        events = [event for event in merge_events(self._deal.public, None) if event.seat is None]
        return {"lines": self._lines(drop_showdown(events, self._deal)), **self._changes()}

    def record_actions(self, answers: Suggestions | None) -> Iterator[Json]:
        """Yield a frame for each action."""
        deal = self._deal
        for number, (code, event) in enumerate(
            zip(self._finished.action_indices, self._finished.log, strict=True)
        ):
            choices, public, asides = len(deal.legal_actions.actions), deal.public, list(deal.private_events)
            deal.apply(deal.legal_actions.actions[code])
            frame: Json = {"seat": event.seat, "choices": choices}
            frame |= self._record_events(event, public, asides)
            if answers is not None:
                frame["others"] = answers[number]
            leaders = self._leaders
            frame |= self._changes()
            self._record_turning_point(number + 1, event, leaders)
            yield frame

    def _record_events(self, action: Event, public: Event | None, asides: list[PrivateEvent | None]) -> Json:
        """Return the events since `public`, and by seat those that read differently to it."""
        deal = self._deal
        self._news = news = merge_events(deal.public, None, public, None)
        by_table = [event for event in news if event.seat is None]
        events = drop_showdown([action, *by_table], deal)
        frame: Json = {"lines": self._lines(events)}
        by_seat = {}
        public_lines = self._lines(drop_showdown(news, deal))
        for seat in self._seats:
            if seat != action.seat:
                aside, lines = deal.private_events[seat], public_lines
                if aside is not asides[seat]:
                    seen = merge_events(deal.public, aside, public, asides[seat])
                    lines = self._lines(drop_showdown(seen, deal))
                if lines != frame["lines"]:
                    by_seat[seat] = lines
        if by_seat:
            frame["by_seat"] = by_seat
        if len(events) <= len(by_table):
            frame["shown"] = True
        return frame

    def _lines(self, events: list[Event]) -> list[FrameLine]:
        return [self._line(event) for event in events]

    def _line(self, event: Event) -> FrameLine:
        """Return an event as a line; most are the same to several seats, or happen again."""
        key = (event.seat, event.action, event.cards)
        line = self._known_lines.get(key)
        if line is None:
            seat, words = self._text.describe(event, self._names)
            line = self._known_lines[key] = FrameLine(seat, event.action.text(event.cards), words)
        return line

    def _changes(self) -> Json:
        """Return what differs from the frame before."""
        before, self._snapshot = self._snapshot, self._take_snapshot()
        changed = {key: value for key, value in self._snapshot.items() if before.get(key) != value}
        for key in BY_SEAT:
            if key in changed and key in before:
                old = before[key]
                changed[key] = {seat: new for seat, new in changed[key].items() if old.get(seat) != new}
        return changed

    def _take_snapshot(self) -> Json:
        deal, order = self._deal, self._deal.opening.order
        views = [deal.view(seat) for seat in self._seats]
        self._update_ranks(order)
        piles = self._text.piles(deal)
        visible = [self._text.visible_piles(view) for view in views]
        self._known = known = self._text.known_by(views, self._news, self._known)
        return {
            "hands": {seat: format_cards(deal.hands[seat]) for seat in order},
            "known": {seat: self._known_masks(seat, views, known, piles) for seat in order},
            "piles": [
                (
                    pile.name,
                    pile.seat,
                    format_cards(pile.cards),
                    [_mask(pile.cards, own[at]) for own in visible],
                )
                for at, pile in enumerate(piles)
                if pile.cards
            ],
            "ranks": dict(self._rank_words),
            "best": self._leaders,
            "held": _holdings(deal.holdings),
            "stock": getattr(views[0], "stock_left", None),
            "asked": deal.to_act,
        }

    def _known_masks(
        self, seat: int, views: Sequence[View], known: Sequence[tuple[Hand, ...]], piles: Sequence[Pile]
    ) -> list[int]:
        """Return which cards of a hand each seat knows to be there; most steps change this for one hand."""
        hand, laid = self._deal.hands[seat], tuple([pile.cards for pile in piles if pile.seat == seat])
        own, known_there = views[seat].hand, [others[seat] if others else () for others in known]
        basis = (hand, laid, own, known_there)
        if seat not in self._masks or self._masks[seat][0] != basis:
            mask_of = {cards: _mask_known(cards, hand, laid) for cards in set(known_there)}
            masks = [mask_of[cards] for cards in known_there]
            masks[seat] = _mask(hand, own)
            self._masks[seat] = (basis, masks)
        return self._masks[seat][1]

    def _update_ranks(self, order: Sequence[int]) -> None:
        """Update the ranks and the leaders; a hand that cannot be ranked keeps its last rank."""
        for seat in order:
            try:
                basis = self.rank_basis(seat)
                if basis == self._rank_bases.get(seat):
                    continue
                self._rank_bases[seat] = basis
                self._ranks[seat] = rank = self.rank_hand(seat)
            except ValueError:  # in the middle of a turn, or in a game that does not compare such hands
                continue
            self._rank_words[seat] = describe_rank(rank, self._deal.hands[seat])
        best = max(self._ranks.values(), default=None)
        self._leaders = [seat for seat, rank in self._ranks.items() if rank == best]

    def rank_basis(self, seat: int) -> tuple[object, ...]:
        """Return what the rank of a seat's hand depends on now."""
        return self._deal.rank_basis(seat)

    def rank_hand(self, seat: int) -> HandRank:
        """Return the rank of a seat's hand now; ValueError if the game does not compare such hands."""
        return self._deal.rank_hand(seat)

    def _record_turning_point(self, frame: int, event: Event, leaders_before: list[int]) -> None:
        if event.action.kind in CLOSING_ACTIONS:
            self.turning_points.append((frame, ""))
        elif leaders_before and self._leaders != leaders_before:
            leaders = " and ".join(self._names[seat] for seat in self._leaders)
            self.turning_points.append((frame, f"{leaders} now best"))


def _mask_known(known: Hand, hand: Hand, laid: Sequence[Hand]) -> int:
    """Return which cards of another's hand an observer knows to be there, as bits by slot."""
    if len(known) == len(hand) and any(card is HIDDEN for card in known):
        return _mask(hand, known)
    there = list(known)
    for card in chain.from_iterable(laid):
        if card in there:
            there.remove(card)
    bits = 0
    for slot, card in enumerate(hand):
        if card in there:
            there.remove(card)
            bits |= 1 << slot
    return bits


def _mask(cards: Hand, visible: Hand) -> int:
    """Return which of the cards are visible, as bits by slot."""
    if visible == cards:  # to most seats, or after it was laid face up
        return (1 << len(cards)) - 1
    return sum([1 << slot for slot, card in enumerate(visible) if card is cards[slot]])


def _holdings(holdings: Holdings) -> Json:
    held = {unit: getattr(holdings, unit) for unit in UNITS}
    return {unit: value for unit, value in held.items() if value is not None}
