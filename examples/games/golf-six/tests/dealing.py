"""Deals of given cards, for the tests."""

from golf_six.deal import GridDeal
from golf_six.rules import GOLF_SIX, SKYJO, GridRules
from golf_six.view import GridView

from arena.games.authoring import Deal, HandRank, Showdown
from arena.games.stock import RecordedStock

GOLF_HANDS = ("9S 4S KS 2S TS 3S", "9H 4H KH 2H TH 3H")


def deal(rules: GridRules, hands: tuple[str, ...], table: str, stock: str) -> GridDeal:
    """Return a deal of these cards, the stock's in the order drawn; seat 1 is the eldest."""
    pack = rules.whole_pack
    dealt, (upcard,), coming = [pack.parse(hand) for hand in hands], pack.parse(table), pack.parse(stock)
    left = pack.without([*[c for hand in dealt for c in hand], upcard])
    opening = rules.match(players=len(hands), seed="any").deal.opening
    return rules.deal(opening, dealt, (upcard,), RecordedStock(left, coming))  # type: ignore[return-value]


def play(game: GridDeal, *texts: str) -> None:
    """Do actions, each of the seat to act."""
    for text in texts:
        assert game.to_act is not None
        view = game.view(game.to_act)
        game.apply(view.parse(text))


def start(stock: str = "", rules: GridRules = GOLF_SIX) -> GridDeal:
    """Return a deal of Golf in which both have turned up the left column."""
    game = deal(rules, GOLF_HANDS, "7C", stock)
    play(game, "turn 1", "turn 2", "turn 1", "turn 2")
    return game


def see(game: Deal, seat: int) -> GridView:
    """Return the view of a seat."""
    view = game.view(seat)
    assert isinstance(view, GridView)
    return view


def legal(game: GridDeal) -> list[str]:
    """Return the legal actions in notation."""
    assert game.to_act is not None
    view = game.view(game.to_act)
    return [view.text(action) for action in view.legal]


def showdown(*sums: int, closer: int | None) -> Showdown:
    """Return a showdown of hands with these sums."""
    ranks = [HandRank(-total, (), "sum", total) for total in sums]
    return Showdown(tuple(range(len(sums))), ranks, SKYJO.settlement.initial_holdings(len(sums)), closer)
