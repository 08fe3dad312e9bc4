"""Views: the cards that lie face up, and of the others where they are."""

from arena.games.authoring import Card, Hand, View


class GridView(View, frozen=True, eq=False):
    """All that one seat may know. Nobody has seen a card that lies face down, not even its owner."""

    known: tuple[Hand, ...]
    """The cards in front of each seat, this one included, by place; `??` for each that is face down."""
    discard: Hand
    """The discard pile, its top card last."""
    drawn: Card | None
    """The card drawn and not yet put down, `??` if another seat has drawn it from the stock."""
    stock_left: int
    """Cards in the stock."""
    closer: int | None
    """The seat that turned up its last card first; None before that."""
    turns: int
    """Turns begun in this deal; 0 while the first cards are turned up."""
