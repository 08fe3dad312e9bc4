"""Step 2: count the cards that are gone, and pay for knowing your own."""

from step_1 import Greedy


class Curious(Greedy):
    """Expects of a card it has not seen the mean of those nobody has shown it, and looks at its own."""

    def __init__(self, rules, settings):
        super().__init__(rules, settings)
        self.pack = {card: self.points(card) for card in rules.whole_pack.cards}
        self.worth_of_knowing = float(settings.get("knowledge", 1.2))

    def look(self, view):
        shown = {*view.discard, view.drawn}.union(*view.known)
        self.unseen = [points for card, points in self.pack.items() if card not in shown]
        self.mean = sum(self.unseen) / max(len(self.unseen), 1)
        self.knowledge = self.worth_of_knowing if view.caller is None else 0  # no turn is left to use it
        super().look(view)

    def expect(self, card):
        return self.mean if str(card) == "??" else self.pack[card]

    def gain(self, view, action):
        gain = super().gain(view, action)
        if action.kind == "place" and str(view.hand[action.give[0]]) == "??":
            return gain + self.knowledge
        if action.kind == "peek":
            ((seat, slot),) = action.spots
            return self.knowledge if seat == view.seat and str(view.hand[slot]) == "??" else 0
        return gain
