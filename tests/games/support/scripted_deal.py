"""Scripted deals for the tests of the rule book: given cards and dealer, play in notation."""

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.games import Deal, Opening, Rules, View, variant
from arena.games.action import format_cards
from arena.games.cards import Hand
from arena.games.match import active_seats
from arena.games.settlement.holdings import Holdings
from arena.games.stock import RecordedStock

Result = dict[str, Any]


class ScriptedDeal:
    """One deal of given cards; None is the hand of a seat that is out of the match."""

    def __init__(
        self,
        name: str,
        hands: Sequence[str | None],
        table: str = "",
        *,
        stock: str = "",
        dealer: int = 0,
        start: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.rules: Rules = variant(name, **options)
        parse = self.rules.whole_pack.parse
        self.dealt = [() if hand is None else parse(hand) for hand in hands]
        widow = parse(table)
        out = tuple([None if hand else -1 for hand in self.dealt])
        usual = self.rules.settlement.initial_holdings(len(hands))
        holdings = msgspec.structs.replace(usual, went_out=out, **start or {})
        order = active_seats(dealer, self.rules.step, out)
        roles = (dealer,) * len(self.rules.roles)
        opening = Opening(self.rules, len(hands), 0, dealer, order, holdings, roles)
        rest = self.rules.whole_pack.without([card for hand in [*self.dealt, widow] for card in hand])
        self.deal: Deal = self.rules.deal(opening, self.dealt, widow, RecordedStock(rest, parse(stock)))

    def play(self, *actions: str) -> "ScriptedDeal":
        """Play `seat:action`, one after the other; each must be for that seat to act."""
        for written in actions:
            seat, _, text = written.partition(":")
            assert self.deal.to_act == int(seat), f"{written}: it is for seat {self.deal.to_act} to act"
            self.deal.apply(self.view.parse(text))
        return self

    @property
    def view(self) -> View:
        """The view of the seat to act."""
        assert self.deal.to_act is not None
        return self.deal.view(self.deal.to_act)

    @property
    def asked(self) -> int | None:
        """The seat to act; None when the deal is over."""
        return self.deal.to_act

    @property
    def legal(self) -> list[str]:
        """Its legal actions in notation."""
        return [self.view.text(action) for action in self.view.legal]

    @property
    def kinds(self) -> set[str]:
        """The kinds of its legal actions."""
        return {action.kind for action in self.view.legal}

    @property
    def hands(self) -> list[str]:
        """The hands as they are now, by seat."""
        return [format_cards(hand) for hand in self.deal.hands]

    @property
    def seats(self) -> range:
        """All seats, also those that are out of the match."""
        return range(len(self.deal.hands))

    @property
    def widow(self) -> str:
        """The cards on the table."""
        table: Hand = self.deal.view(self.deal.opening.dealer).table
        return format_cards(table)

    @property
    def knocker(self) -> int | None:
        """The first seat that has knocked, in games where one knocks."""
        seat: int | None = getattr(self.deal.view(0), "knocker", None)
        return seat

    @property
    def result(self) -> Result:
        """The changes of the deal, once it is over."""
        assert self.deal.to_act is None, f"the deal is not over: seat {self.deal.to_act} is to act"
        assert self.deal.changes is not None
        return self.deal.changes.result()

    @property
    def tokens(self) -> list[int]:
        """The changes in tokens."""
        tokens: list[int] = self.result["tokens"]
        return tokens

    @property
    def after(self) -> Holdings:
        """The holdings after the deal."""
        assert self.deal.changes is not None
        return self.rules.settlement.apply_changes(self.deal.opening.holdings, self.deal.changes, 0)
