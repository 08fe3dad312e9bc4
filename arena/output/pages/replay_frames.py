"""Frames of the replay viewer: what each step of a deal changed, who knows it, and who is winning.

Most steps change one hand at most, so each part is computed only where what it depends on has changed.
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

from arena.games.action import Action, Event, PrivateEvent, format_cards, merge_events
from arena.games.cards import HIDDEN, Hand
from arena.games.deal import Deal
from arena.games.rankings.base import HandRank
from arena.games.settlement.holdings import Holdings
from arena.games.view import View
from arena.output.pages.event_lines import EventLines
from arena.output.words.cards import describe_rank, drop_showdown
from arena.output.words.family_text import Pile, get_family_text
from arena.play.actions_of_other_bots import Suggestions
from arena.play.chances import Chances, find_costly_steps
from arena.play.players import Note

CLOSING_ACTIONS: Final = frozenset(("knock", "cambio", "stand", "sell", "pounce"))
"""Actions that are turning points whatever they do to the hands."""
Json = dict[str, Any]


def build_match_frames(
    deals: Sequence[Deal],
    bots: Sequence[str],
    answers: Sequence[Suggestions] | None = None,
    chances: Sequence[Sequence[Chances]] | None = None,
    notes: Sequence[Note] = (),
) -> list[Json]:
    """Return the finished deals of a match as the viewer reads them.

    Args:
        deals: The deals, in order; at least one.
        bots: Names by seat.
        answers: By deal, those of other bots.
        chances: By deal and step, those of the seats to be placed ahead.
        notes: Notes of the bots on their decisions.
    """
    lines = EventLines(deals[0].opening.rules, bots)
    frames = [
        _build_frames(deal, lines, None if answers is None else answers[number])
        for number, deal in enumerate(deals)
    ]
    for note in notes:
        frames[note.deal].setdefault("notes", {})[note.action + 1] = note.text
    if chances is not None:
        for costly in find_costly_steps(deals, chances):
            turning_point = costly.step, f"chance falls by {round(100 * costly.fall)} points"
            frames[costly.deal]["turning_points"].append(turning_point)
        for deal, steps in zip(frames, chances, strict=True):
            deal["chances"] = [[round(1000 * chance) for chance in step.by_seat] for step in steps]
            deal["chance_error"] = round(1000 * max([max(step.errors) for step in steps]))
    return frames


def _build_frames(deal: Deal, lines: EventLines, answers: Suggestions | None) -> Json:
    """Return a finished deal: opening, frames, turning points, result."""
    recorder = FrameRecorder(deal, lines)
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

    def __init__(self, deal: Deal, lines: EventLines) -> None:
        self._log = deal.log
        self._states = deal.replay()
        self._deal = next(self._states)
        self._lines = lines
        self._text = get_family_text(deal.opening.rules)
        self._order = deal.opening.order
        players = deal.opening.players
        self._players = players
        # The latest events that are recorded, and those of the step, by seat as it may know them.
        self._public: Event | None = None
        self._asides: list[PrivateEvent | None] = []
        self._news: list[Event] = []
        self._news_by_seat: list[list[Event]] = []
        # What the parts of the frame before were computed from.
        self._hands: list[Hand | None] = [None] * players
        self._own: list[Hand | None] = [None] * players
        """Hand of each seat as it sees it."""
        self._known: Sequence[tuple[Hand, ...]] = ()
        self._known_there: list[list[Hand]] = [[] for _ in range(players)]
        """Cards of each seat that each observer knows it to hold."""
        self._piles: list[Pile] = []
        self._visible_piles: list[list[Hand]] = []
        self._laid: list[list[Hand]] = [[] for _ in range(players)]
        """Cards in front of each seat."""
        self._rank_bases: list[tuple[object, ...] | None] = [None] * players
        self._holdings: Holdings | None = None
        # The parts of the frame before.
        self._hand_texts: dict[int, str] = {}
        self._masks: dict[int, list[int]] = {}
        self._ranks: dict[int, HandRank] = {}
        self._rank_words: dict[int, str] = {}
        self._leaders: list[int] = []
        self._others: Json = {}
        self.turning_points: list[tuple[int, str]] = []
        """Frame number and explanation; empty where the action explains itself."""

    def record_opening(self) -> Json:
        """Return the frame before the first action."""
        deal = self._deal
        self._public, self._asides = deal.public, list(deal.private_events)
        events = [event for event in merge_events(deal.public, None) if event.seat is None]
        frame: Json = {"lines": self._lines.describe(drop_showdown(events, deal))}
        self._record_changes(frame)
        return frame

    def record_actions(self, answers: Suggestions | None) -> list[Json]:
        """Return a frame for each action."""
        frames = []
        for number, event in enumerate(self._log):
            frame: Json = {"seat": event.seat, "choices": len(self._deal.legal_actions.actions)}
            next(self._states)
            self._read_news()
            self._record_events(frame, event)
            if answers is not None:
                frame["others"] = answers[number]
            leaders = self._leaders
            self._record_changes(frame)
            self._record_turning_point(number + 1, event.action, leaders)
            frames.append(frame)
        return frames

    # --- events ---

    def _read_news(self) -> None:
        """Find the events since the step before, of the table and by seat."""
        deal, public = self._deal, self._public
        self._news = news = merge_events(deal.public, None, public, None)
        self._news_by_seat = [news] * self._players
        asides = deal.private_events
        if asides != self._asides:
            for seat, (aside, before) in enumerate(zip(asides, self._asides, strict=True)):
                if aside is not before:
                    self._news_by_seat[seat] = merge_events(deal.public, aside, public, before)
            self._asides = list(asides)
        self._public = deal.public

    def _record_events(self, frame: Json, action: Event) -> None:
        """Add the events of the step, and by seat those that read differently to it."""
        deal, news = self._deal, self._news
        by_table = [event for event in news if event.seat is None]
        events = drop_showdown([action, *by_table], deal)
        frame["lines"] = lines = self._lines.describe(events)
        public_lines = self._lines.describe(drop_showdown(news, deal))
        by_seat = {}
        for seat, seen in enumerate(self._news_by_seat):
            if seat != action.seat:
                read = public_lines if seen is news else self._lines.describe(drop_showdown(seen, deal))
                if read != lines:
                    by_seat[seat] = read
        if by_seat:
            frame["by_seat"] = by_seat
        if len(events) <= len(by_table):
            frame["shown"] = True

    # --- changes ---

    def _record_changes(self, frame: Json) -> None:
        """Add what differs from the frame before; of hands, what is known of them, and ranks: by seat."""
        deal = self._deal
        views = [deal.view(seat) for seat in range(self._players)]
        moved = [deal.hands[seat] != self._hands[seat] for seat in range(self._players)]
        self._hands = list(deal.hands)
        if hands := self._update_hands(moved):
            frame["hands"] = hands
        rows = self._update_piles(views, moved)
        if known := self._update_known(views, moved):
            frame["known"] = known
        self._record(frame, "piles", rows)
        words = self._update_ranks()
        if words or "best" not in self._others:
            frame["ranks"] = words
        self._record(frame, "best", self._leaders)
        if deal.holdings is not self._holdings:
            self._holdings = deal.holdings
            self._record(frame, "held", _holdings(deal.holdings))
        self._record(frame, "stock", getattr(views[0], "stock_left", None))
        self._record(frame, "asked", deal.to_act)

    def _record(self, frame: Json, key: str, value: Any) -> None:
        """Add a part if it differs from that of the frame before."""
        if self._others.get(key) != value:
            frame[key] = self._others[key] = value

    def _update_hands(self, moved: Sequence[bool]) -> dict[int, str]:
        changed = {}
        for seat in self._order:
            if moved[seat]:
                text = format_cards(self._deal.hands[seat])
                if text != self._hand_texts.get(seat):
                    changed[seat] = self._hand_texts[seat] = text
        return changed

    def _update_piles(self, views: Sequence[View], moved: list[bool]) -> Any:
        """Return the piles with the slots that each seat sees; set `moved` where those of a seat changed."""
        piles = self._text.piles(self._deal)
        visible = [self._text.visible_piles(view) for view in views]
        if piles == self._piles and visible == self._visible_piles and "piles" in self._others:
            return self._others["piles"]
        self._piles, self._visible_piles = piles, visible
        for seat in self._order:
            laid = [pile.cards for pile in piles if pile.seat == seat]
            if laid != self._laid[seat]:
                self._laid[seat], moved[seat] = laid, True
        return [
            (
                pile.name,
                pile.seat,
                format_cards(pile.cards),
                [_mask(pile.cards, seen[at]) for seen in visible],
            )
            for at, pile in enumerate(piles)
            if pile.cards
        ]

    def _update_known(self, views: Sequence[View], moved: Sequence[bool]) -> dict[int, list[int]]:
        """Return of which hands some seat knows other slots, and which slots, as bits, by observer."""
        known = self._text.known_by(views, self._news_by_seat, self._known)
        is_news, self._known = known != self._known, known
        changed = {}
        for seat in self._order:
            own = views[seat].hand
            if not (is_news or moved[seat] or own != self._own[seat]):
                continue
            there = [others[seat] if others else () for others in known]
            if not moved[seat] and own == self._own[seat] and there == self._known_there[seat]:
                continue
            self._own[seat], self._known_there[seat] = own, there
            masks = self._known_masks(seat, own, there)
            if masks != self._masks.get(seat):
                changed[seat] = self._masks[seat] = masks
        return changed

    def _known_masks(self, seat: int, own: Hand, there: Sequence[Hand]) -> list[int]:
        """Return which slots of a hand each observer knows: the seat by its `own` view, others by `there`."""
        hand, laid = self._deal.hands[seat], self._laid[seat]
        masks, before, mask = [], None, 0
        for cards in there:
            if cards != before:  # most observers know the same
                before, mask = cards, _mask_known(cards, hand, laid)
            masks.append(mask)
        masks[seat] = _mask(hand, own)
        return masks

    def _update_ranks(self) -> dict[int, str]:
        """Update the ranks and the leaders, and return the ranks that read differently.

        A hand that cannot be ranked keeps its last rank.
        """
        deal, new, is_ranked = self._deal, set(), False
        for seat in self._order:
            try:
                basis = deal.rank_basis(seat)
                if basis == self._rank_bases[seat]:
                    continue
                self._rank_bases[seat] = basis
                self._ranks[seat] = rank = deal.rank_hand(seat)
            except ValueError:  # in the middle of a turn, or in a game that does not compare such hands
                continue
            is_ranked = True
            words = describe_rank(rank, deal.hands[seat])
            if words != self._rank_words.get(seat):
                self._rank_words[seat] = words
                new.add(seat)
        if is_ranked:
            best = max(self._ranks.values())
            self._leaders = [seat for seat, rank in self._ranks.items() if rank == best]
        return {seat: words for seat, words in self._rank_words.items() if seat in new}

    def _record_turning_point(self, frame: int, action: Action, leaders_before: list[int]) -> None:
        if action.kind in CLOSING_ACTIONS:
            self.turning_points.append((frame, ""))
        elif leaders_before and self._leaders != leaders_before:
            leaders = " and ".join([self._lines.names[seat] for seat in self._leaders])
            self.turning_points.append((frame, f"{leaders} now best"))


def _mask_known(known: Hand, hand: Hand, laid: Sequence[Hand]) -> int:
    """Return which cards of another's hand an observer knows to be there, as bits by slot."""
    if not known:
        return 0
    if len(known) == len(hand) and HIDDEN in known:
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
    pool = {} if holdings.pool is None else {"pool": holdings.pool}
    return {**holdings.by_unit(), **pool}
