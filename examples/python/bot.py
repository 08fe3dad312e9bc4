"""A bot for the arena: `act` is asked for every decision, and returns one of `view.legal`."""

CONTENT = ("knock", "stand", "cambio", "sell", "pass", "keep", "horse", "pounce")


class Magpie:
    """Takes what makes the best hand, and is content when nothing makes a better one."""

    def __init__(self, info):
        self.rank = info.rules.rank  # what a hand is worth in the game that is played: larger is better

    def act(self, view):
        hands = {action: view.after(action) for action in view.legal if action.kind == "exchange"}
        seen = [action for action, hand in hands.items() if "??" not in map(str, (*hand, *view.hand))]
        best = max(seen, key=lambda action: self.rank(hands[action]), default=None)
        if best and self.rank(hands[best]) > self.rank(view.hand):
            return best
        content = [action for action in view.legal if action.kind in CONTENT]
        return (content or view.legal)[-1]
