"""Step 4: read the others, and weigh the card that lies open against the one that may come."""

from step_3 import Powerful

HIGHEST_KEPT = 5
"""Highest points of a card that others put in the place of one they do not know."""


class Watchful(Powerful):
    """Expects of a card that another keeps no more points than that player has laid instead."""

    def __init__(self, rules, settings):
        super().__init__(rules, settings)
        self.public = float(settings.get("public", 0.8))  # all see what it takes from the discard

    def look(self, view):
        self.bounds = self.follow(view)
        super().look(view)
        places = [
            points + self.knowledge * (str(card) == "??")
            for points, card in zip(self.own, view.hand, strict=True)
        ]
        self.best_place = max(places, default=0)  # what a card of 0 points would gain
        seen = {*view.discard, view.drawn}.union(*view.known)
        gains = [
            max(self.best_place - points, self.gain_of_power(view, card))
            for card, points in self.pack.items()
            if card not in seen
        ]
        self.stock_gain = sum(gains) / max(len(gains), 1)

    def gain(self, view, action):
        if action.kind == "draw" and action.text(()) == "draw stock":
            return self.stock_gain
        if action.kind == "draw":
            return self.best_place - self.points(view.discard[-1]) - self.public
        if action.kind == "cambio":
            return super().gain(view, action) + self.stock_gain
        return super().gain(view, action)

    def expect_at(self, view, seat, slot):
        """Return the expected points of a card: of those not seen, the mean up to its bound."""
        card, bound = view.known[seat][slot], self.bounds.get((seat, slot))
        possible = [points for points in self.unseen if bound is None or points <= bound]
        if str(card) != "??" or not possible:
            return self.expect(card)
        return sum(possible) / len(possible)

    def follow(self, view):
        """Return by seat and slot the highest points that the card there can be expected to have."""
        bounds, known_by_owner = {}, {(seat, slot) for seat in range(view.players) for slot in (0, 1)}
        drawer = placed = None
        for event in view.past:
            action = event.action
            if action.kind in ("place", "discard"):
                drawer, placed = event.seat, (event.seat, action.give[0]) if action.give else None
            elif action.kind == "laid":
                points = self.points(event.cards[0])
                if placed:
                    bounds[placed] = points if placed in known_by_owner else HIGHEST_KEPT
                    known_by_owner.add(placed)
                for spot in known_by_owner:
                    if spot[0] == drawer and spot != placed:
                        bounds[spot] = min(points, bounds.get(spot, points))
            elif action.kind == "peek" and action.spots[0][0] == event.seat:
                known_by_owner.add(action.spots[0])
            elif action.kind == "swap":
                first, second = action.spots
                moved = {second: bounds.pop(first, None), first: bounds.pop(second, None)}
                bounds.update({spot: bound for spot, bound in moved.items() if bound is not None})
                known_by_owner -= {first, second}
        return bounds
