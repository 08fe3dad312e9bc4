"""A bot for three-card Brag: it looks at its hand at once, and stays with a queen or better."""


class Looker:
    """Bets the least with a fair hand, the most with a good one; sees, rather than bet, with a fair one."""

    def __init__(self, info):
        self.rank = info.rules.rank
        self.fair = self.rank("QC 5D 2H")
        self.good = self.rank("AC 9D 4H")

    def act(self, view):
        kinds = [action.kind for action in view.legal]
        if "look" in kinds:
            return "look"
        hand = self.rank(view.hand)
        if hand < self.fair:
            return "fold"
        if hand < self.good and "see" in kinds:
            return "see"
        bets = [action for action in view.legal if action.kind in ("bet", "raise")]
        return bets[-1] if hand >= self.good else bets[0]
