"""A perfect memory of Cambio's cards, built from a seat's events alone."""

from collections.abc import Iterable, Sequence

Place = tuple[int, int]


class Memory:
    """Track the place of each card, as far as a seat's events show."""

    def __init__(self, hands: Iterable[str], top: str) -> None:
        self.hands = [hand.split() for hand in hands]
        self.discard = [top]
        self.seen = {card for hand in self.hands for card in hand if card != "??"} | {top}
        """Every card that was ever seen."""
        self._observed = 0
        self._moving = "??"
        self._snapped: Place | None = None
        self._gap: Place = (0, 0)

    def observe(self, events: Sequence[str]) -> None:
        """Take in the events of the deal that are new."""
        for event in events[self._observed :]:
            seat, colon, action = event.partition(":")
            if colon and seat.isdecimal():
                self._seat_action(int(seat), *action.split())
            else:
                self._table_event(*event.split())
        self._observed = len(events)

    def _seat_action(self, seat: int, kind: str, *what: str) -> None:
        hand = self.hands[seat]
        if kind == "draw":
            self._moving = self.discard.pop() if what == ("discard",) else "??"
        elif kind == "place":
            hand[int(what[0]) - 1] = self._moving
        elif kind == "swap":
            (a, b), (c, d) = map(place, what)
            self.hands[a][b], self.hands[c][d] = self.hands[c][d], self.hands[a][b]
        elif kind == "snap":
            self._snapped = place(what[0])
        elif kind == "give":
            self.hands[self._gap[0]].insert(self._gap[1], hand.pop(int(what[0]) - 1))

    def _table_event(self, kind: str, *what: str) -> None:
        self.seen.update(card for card in what if ":" not in card and not card.isdecimal())
        if kind == "drawn":
            self._moving = what[0]
        elif kind == "discard":
            self.discard.append(what[0])
            if self._snapped:
                self._gap = self._snapped
                self.hands[self._gap[0]].pop(self._gap[1])
                self._snapped = None
        elif kind == "seen":
            seat, slot = place(what[0])
            self.hands[seat][slot] = what[1]
            self._snapped = None
        elif kind == "penalty":
            self.hands[place(what[0])[0]].append("??")
        elif kind == "reshuffle":
            del self.discard[:-1]
        elif kind == "show":
            self.hands[int(what[0])] = list(what[1:])


def place(text: str) -> Place:
    """Return the place written `1:3`, counted from 0."""
    seat, _, slot = text.partition(":")
    return int(seat), int(slot) - 1
