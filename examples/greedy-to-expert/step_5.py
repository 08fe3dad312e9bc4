"""Step 5: weigh a call by what calls have gained in deals that were played out."""

from step_4 import Watchful

MAX_ROUND = 8
"""Largest number of rounds that counts for a call."""


class Caller(Watchful):
    """Calls if that gains more than its best other action, by weights fitted to deals played both ways."""

    def gain(self, view, action):
        if action.kind != "cambio":
            return super().gain(view, action)
        turn = max(self.gain(view, other) for other in view.legal if other.kind != "cambio")
        own = sum(self.own)
        others = [hand for seat, hand in enumerate(self.hands) if seat != view.seat]
        leads = [sum(hand) - self.gain_of_last_draw(hand) - own for hand in others]
        draws = sum(event.seat is not None and event.action.kind == "draw" for event in view.past)
        unknown = [str(card) for card in view.hand].count("??")
        return (
            -0.455
            - 0.29 * turn
            + 0.375 * own
            - 0.0137 * own**2
            + 0.142 * unknown
            + 0.141 * (min(leads) + sum(leads) / len(leads))
            - 0.093 * min(draws / view.players, MAX_ROUND)
        )

    def gain_of_last_draw(self, hand):
        """Return the points that one card from the stock takes off a hand on average."""
        highest = max(hand, default=0)
        return sum(max(highest - points, 0) for points in self.unseen) / max(len(self.unseen), 1)
