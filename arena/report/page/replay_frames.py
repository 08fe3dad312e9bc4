"""A match as the viewer steps through it: frame by frame what changed, who knew it, and who was winning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from arena.games import Deal
from arena.games.cards import HIDDEN, Hand
from arena.games.events import Event, PrivateEvent, merge_events
from arena.games.hands import HandRank
from arena.games.notation import format_cards
from arena.games.settlement.base import Holdings
from arena.play.records.record import restart_deal
from arena.report.action_text import table_words, words
from arena.report.hand_text import describe_rank
from arena.report.page.piles import piles, seen
from arena.report.transcript import LOOKS

SETTLED_IN: Final = ("tokens", "chips", "points", "pool")
CLOSING: Final = {"knock", "cambio", "stand", "sell", "pounce"}
"""Actions that turn a deal, whatever they do to the hands."""
Json = dict[str, Any]
Answers = Sequence[dict[str, str]]
"""What other bots would have done at each action of a deal, by their names, in notation."""


class FrameLine(NamedTuple):
    """A line of what happened: by which seat (None: by the table), in notation, in words."""

    seat: int | None
    notation: str
    words: str


def build_frames(deal: Deal, bots: Sequence[str], answers: Answers | None = None) -> Json:
    """A finished deal: how it opened, its frames, where it turned, and how it ended."""
    camera = FrameRecorder(deal, bots)
    frames = [camera.opening(), *camera.actions(answers)]
    opening, changes = deal.opening, deal.changes
    assert changes is not None
    after = opening.rules.settlement.apply_changes(opening.holdings, changes, opening.number)
    return {
        "number": opening.number,
        "dealer": opening.dealer,
        "order": opening.order,
        "roles": dict(zip(opening.rules.roles, opening.roles, strict=True)),
        "frames": frames,
        "turns": camera.turns,
        "changes": changes.result(),
        "after": _held(after),
        "out": [seat for seat, went in enumerate(after.went_out) if went == opening.number],
    }


class FrameRecorder:
    """Goes through a deal and notes what has changed from one frame to the next."""

    def __init__(self, deal: Deal, bots: Sequence[str]) -> None:
        self._finished = deal
        self._bots = bots
        self._deal = restart_deal(deal)
        self._seats = range(deal.opening.players)
        self._shot: Json = {}
        self._ranks: dict[int, HandRank] = {}
        self._best: list[int] = []
        self._heard: tuple[Event | None, list[PrivateEvent | None]] = (None, [None] * len(self._seats))
        self.turns: list[tuple[int, str]] = []
        """Numbers of frames and what turned there, empty where the action says it."""

    def opening(self) -> Json:
        """The deal before its first action."""
        lines = [self._line(event) for event in merge_events(self._deal.public, None) if event.seat is None]
        frame = {"lines": self._without_showdown(lines), **self._changed()}
        self._heard = (self._deal.public, list(self._deal.private_events))
        return frame

    def actions(self, answers: Answers | None) -> Iterator[Json]:
        """A frame for each action."""
        deal = self._deal
        for number, (code, event) in enumerate(
            zip(self._finished.action_indices, self._finished.log, strict=True)
        ):
            choices, drawn, before = len(deal.legal_actions.actions), len(deal.stock.drawn), self._heard
            deal.apply(deal.legal_actions.actions[code])
            own = self._line(event)
            looked = (
                event.cards if event.action.kind == "peek" else tuple(deal.stock.drawn[drawn : drawn + 1])
            )
            if event.action.kind in LOOKS and looked:
                own = own._replace(words=f"{words(own.notation)}: {format_cards(looked)}")
            frame: Json = {"seat": event.seat, "choices": choices}
            frame |= self._lines(own, before)
            if answers is not None:
                frame["others"] = answers[number]
            was = self._best
            frame |= self._changed()
            self._note_turn(number + 1, event, was)
            yield frame

    def _lines(self, own: FrameLine, before: tuple[Event | None, list[PrivateEvent | None]]) -> Json:
        """What happened, and by seat what it was told where that is something else."""
        deal, (public, asides) = self._deal, before
        by_table = [
            self._line(event) for event in merge_events(deal.public, None, public, None) if event.seat is None
        ]
        lines = self._without_showdown([own, *by_table])
        shown = len(lines) <= len(by_table)
        heard = {}
        for seat in self._seats:
            if seat == own.seat:
                continue
            events = merge_events(deal.public, deal.private_events[seat], public, asides[seat])
            own_lines = self._without_showdown([self._line(event) for event in events])
            if own_lines != lines:
                heard[seat] = own_lines
        self._heard = (deal.public, list(deal.private_events))
        return {"lines": lines, **({"told": heard} if heard else {}), **({"shown": True} if shown else {})}

    def _line(self, event: Event) -> FrameLine:
        text = event.text if event.seat is None else event.text.partition(":")[2]
        said = table_words(text, self._bots) if event.seat is None else words(text)
        return FrameLine(event.seat, text, said)

    def _without_showdown(self, lines: list[FrameLine]) -> list[FrameLine]:
        """The lines but for the hands that all show when the deal is over: the table has them anyway."""
        shown = len(self._deal.opening.order)
        last = lines[-shown:]
        over = self._deal.changes is not None
        if over and len(last) == shown and all(line.notation.startswith("show ") for line in last):
            return lines[:-shown]
        return lines

    def _changed(self) -> Json:
        """What is not as it was in the frame before."""
        shot = self._taken()
        new = {key: value for key, value in shot.items() if self._shot.get(key) != value}
        for key in ("hands", "known", "ranks"):
            old = self._shot.get(key, {})
            if key in new:
                new[key] = {seat: own for seat, own in shot[key].items() if old.get(seat) != own}
        self._shot = shot
        return new

    def _taken(self) -> Json:
        """Everything as it stands now."""
        deal = self._deal
        views = [deal.view(seat) for seat in self._seats]
        order = deal.opening.order
        self._rank(order)
        found = piles(deal)
        visible = [seen(view) for view in views]
        known = [view.known for view in views]
        laid = {seat: [pile.cards for pile in found if pile.seat == seat] for seat in order}
        return {
            "hands": {seat: format_cards(deal.hands[seat]) for seat in order},
            "known": {
                seat: [
                    _mask(deal.hands[seat], view.hand)
                    if view.seat == seat
                    else _known(others[seat] if others else (), deal.hands[seat], laid[seat])
                    for view, others in zip(views, known, strict=True)
                ]
                for seat in order
            },
            "piles": [
                (
                    pile.name,
                    pile.seat,
                    format_cards(pile.cards),
                    [_mask(pile.cards, own[at]) for own in visible],
                )
                for at, pile in enumerate(found)
                if pile.cards
            ],
            "ranks": {seat: _rank_words(rank) for seat, rank in self._ranks.items()},
            "best": self._best,
            "held": _held(deal.holdings),
            "stock": getattr(views[0], "stock_left", None),
            "asked": deal.to_act,
        }

    def _rank(self, order: Sequence[int]) -> None:
        """Keeps the ranks of the hands, and whose is the best; one that cannot be ranked keeps its last."""
        for seat in order:
            try:
                self._ranks[seat] = self._deal.rank_hand(seat)
            except ValueError:  # in the middle of a turn, or in a game that does not compare such hands
                continue
        best = max(self._ranks.values(), default=None)
        self._best = [seat for seat, rank in self._ranks.items() if rank == best]

    def _note_turn(self, frame: int, event: Event, was: list[int]) -> None:
        """Notes a frame in which the lead changes hands, or somebody brings the deal to its end."""
        if event.action.kind in CLOSING:
            self.turns.append((frame, ""))
        elif was and self._best != was:
            leads = " and ".join(self._bots[seat] for seat in self._best)
            self.turns.append((frame, f"{leads} now best"))


def _known(known: Hand, hand: Hand, laid: Sequence[Hand]) -> int:
    """Which cards of another's hand somebody knows to be there, of those he knows; bits by slot."""
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


def _mask(cards: Hand, shown: Hand) -> int:
    """Which of the cards are shown for what they are, as bits by place."""
    return sum([1 << place for place, card in enumerate(shown) if card is cards[place]])


def _rank_words(rank: HandRank) -> str:
    if rank.category == "points" and rank.value is not None:
        return f"{rank.value:g} point{'' if abs(rank.value) == 1 else 's'}"
    return describe_rank(rank)


def _held(holdings: Holdings) -> Json:
    held = {things: getattr(holdings, things) for things in SETTLED_IN}
    return {things: value for things, value in held.items() if value is not None}
