"""Step 1: lower the sum of your cards."""

UNKNOWN = 6.5
"""Points of a card that it has not seen, about the mean of the pack."""
LOW = 6
"""Sum of its cards at which it calls."""


class Greedy:
    """Puts a drawn card where it lowers the sum most, and calls when the sum is low."""

    def __init__(self, rules, settings):
        self.rules = rules
        self.settings = settings

    def act(self, view):
        self.look(view)
        return max(view.legal, key=lambda action: self.gain(view, action))

    def look(self, view):
        """Note what the view shows, before any action is weighed."""
        self.hands = [
            [self.expect_at(view, seat, slot) for slot in range(len(hand))]
            for seat, hand in enumerate(view.known)
        ]
        self.own = self.hands[view.seat]

    def points(self, card):
        return -self.rules.rank((card,)).grade

    def expect_at(self, view, seat, slot):
        """Return the expected points of a card."""
        return self.expect(view.known[seat][slot])

    def expect(self, card):
        return UNKNOWN if str(card) == "??" else self.points(card)

    def gain(self, view, action):
        """Return the points that an action is expected to take off the sum."""
        if action.kind == "cambio":
            return LOW - sum(self.own)
        if action.kind == "place":
            return self.own[action.give[0]] - self.points(view.drawn)
        return 0
