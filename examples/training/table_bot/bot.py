"""A bot that plays from a table of probabilities in its folder."""

import json
from pathlib import Path

from arena import Action, Bot, Info, View


def table_key(view: View) -> str:
    """Return what the seat knows of the deal, as text; seats are counted from the dealer."""
    actions = [event.partition(":")[2] for event in view.events]
    return f"{(view.seat - view.dealer) % view.players}|{' '.join(map(str, view.hand))}|{' '.join(actions)}"


class Table(Bot):
    """Draws from the table's probabilities; at a view that the table has not, from all legal actions."""

    def __init__(self, info: Info) -> None:
        super().__init__(info)
        self.table = json.loads(Path(__file__).with_name("policy.json").read_text())

    def act(self, view: View) -> Action | str:
        odds = self.table.get(table_key(view))
        if odds is None:
            return self.rng.choice(view.legal)
        return self.rng.choices(list(odds), list(odds.values()))[0]
