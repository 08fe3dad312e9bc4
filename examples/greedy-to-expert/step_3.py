"""Step 3: use the powers, and weigh them against putting the card down."""

from step_2 import Curious


class Powerful(Curious):
    """Swaps its cards for lower ones of others, and discards a card whose power gains more than its place."""

    def __init__(self, rules, settings):
        super().__init__(rules, settings)
        self.harm = float(settings.get("harm", 0.8))  # what another loses by a swap counts this much

    def look(self, view):
        super().look(view)
        self.best_swap = max(
            (self.gain_of_swap(view, mine, theirs) for mine, theirs in self.swaps(view)), default=0
        )

    def swaps(self, view):
        """Yield each card of its own with each card of the others but the caller's, which nobody may swap."""
        for seat, hand in enumerate(self.hands):
            if seat not in (view.seat, view.caller):
                yield from (
                    ((view.seat, slot), (seat, at))
                    for slot in range(len(self.own))
                    for at in range(len(hand))
                )

    def gain_of_swap(self, view, mine, theirs):
        saved = self.hands[mine[0]][mine[1]] - self.hands[theirs[0]][theirs[1]]
        lost = str(view.known[theirs[0]][theirs[1]]) == "??"
        learnt = str(view.known[mine[0]][mine[1]]) == "??"
        return saved * (1 + self.harm) + self.knowledge * (learnt - lost)

    def gain_of_power(self, view, card):
        """Return what the power of a card is worth if it is discarded as it is drawn from the stock."""
        gain = 0
        for step in self.rules.powers.get(card, ()):
            name = step.__name__
            if "swap" in name:
                gain += max(self.best_swap, 0)
            elif name in ("peek_own", "peek_any") and "??" in map(str, view.hand):
                gain += self.knowledge
        return gain

    def gain(self, view, action):
        if action.kind == "discard":
            return self.gain_of_power(view, view.drawn)
        if action.kind == "swap":
            mine, theirs = action.spots
            return self.gain_of_swap(view, mine, theirs) if mine[0] == view.seat else -1
        return super().gain(view, action)
