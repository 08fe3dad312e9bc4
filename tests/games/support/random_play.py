"""Random play for the tests: positions of every variant, and everything a view shows."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from arena.games import VARIANTS, Deal, Match, Rules, View
from arena.games.action import Action
from arena.games.stock import Shuffler, Stock

CHAINS = ("opening", "public", "private")  # fields of a view that its other properties cover


def table_sizes(rules: Rules) -> list[int]:
    """Return some numbers of players: the smallest, the usual and the largest."""
    return sorted({*rules.players} & {2, 3, 5, rules.players[-1]})


TABLES = [(rules, players) for rules in VARIANTS for players in table_sizes(rules)]
ALL_TABLES = [(rules, players) for rules in VARIANTS for players in rules.players]


def table_name(value: object) -> str:
    """Return the id of a parametrised test."""
    return str(value)


def random_action(view: View, rng: Random) -> Action:
    """Draw a legal action, half the time by its kind first, so that rare kinds occur too."""
    if rng.random() < 0.5:
        kind = rng.choice(sorted({action.kind for action in view.legal}))
        return rng.choice([action for action in view.legal if action.kind == kind])
    return rng.choice(view.legal)


def view_to_act(match: Match) -> View:
    """Return the view of the seat to act."""
    assert match.seat_to_act is not None
    return match.view(match.seat_to_act)


def play_out(
    match: Match, rng: Random, choose: Callable[[View, Random], Action] = random_action
) -> Iterator[Match]:
    """Play a match to its end and yield it at each decision."""
    while not match.is_over:
        yield match
        match.apply(choose(view_to_act(match), rng))


@cache
def positions(rules: Rules, players: int, seed: str = "play_out", count: int = 12) -> tuple[Match, ...]:
    """Return copies of a match at `count` of its decisions, drawn at random. Not to be changed."""
    rng = Random(f"{rules}/{players}/{seed}")
    kept: list[Match] = []
    for number, match in enumerate(play_out(rules.match(players, seed), rng)):
        if number < count:
            kept.append(match.copy())
        elif (place := rng.randrange(number + 1)) < count:
            kept[place] = match.copy()
    return tuple(kept)


def view_facts(view: View) -> dict[str, Any]:
    """Return everything a view shows: views are alike if these are equal."""
    shown = {name: getattr(view, name) for name in view.__struct_fields__ if name not in CHAINS}
    for name in ("players", "dealer", "deal", "order", "table", "events", "known"):
        shown[name] = getattr(view, name)
    shown["texts"] = [view.text(action) for action in view.legal]
    return shown


def fingerprint(match: Match) -> dict[str, Any]:
    """Return everything observable about a match."""
    return {
        "asked": match.seat_to_act,
        "is over": match.is_over,
        "past": len(match.finished_deals),
        "placings": match.placings,
        "payoffs": match.payoffs,
        "log": [event.text for event in match.deal.log],
        "codes": list(match.deal.action_indices),
        "stock": match.deal.stock.left,
        "views": [view_facts(match.view(seat)) for seat in range(match.players)],
    }


def unseen_stock(deal: Deal) -> list[str]:
    """Return the cards that would still come from the stock, in order."""
    stock = deal.stock.copy()
    return [str(stock.draw()) for _ in range(stock.left)]


def redeal(match: Match, seed: str, relabel: Callable[[Any], Any] = lambda card: card) -> Deal:
    """Deal the match's deal again by its seed, from a pack in which cards are relabelled."""
    opening = match.deal.opening
    shuffler, what = Shuffler(seed), b"deal %d" % opening.number
    cards = tuple([relabel(card) for card in opening.rules.whole_pack.cards])
    return opening.rules.deal_cards(opening, Stock(cards, True, shuffler, what))
