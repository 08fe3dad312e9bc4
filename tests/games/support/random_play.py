"""Random play through the rule book for the tests: positions of every variant, and all that a view tells."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from arena.games import VARIANTS, Deal, Match, Rules, View
from arena.games.action import Action
from arena.games.stock import Shuffler, Stock

CHAINS = ("opening", "public", "private")  # fields of a view that are told by its other properties


def sizes(rules: Rules) -> list[int]:
    """Some table sizes of a variant: the smallest, the usual and the largest."""
    return sorted({*rules.players} & {2, 3, 5, rules.players[-1]})


TABLES = [(rules, players) for rules in VARIANTS for players in sizes(rules)]
ALL_TABLES = [(rules, players) for rules in VARIANTS for players in rules.players]


def table_name(value: object) -> str:
    """What a parametrised test is called after."""
    return str(value)


def anything(view: View, rng: Random) -> Action:
    """A legal action: half the time of a kind drawn first, so that what is rare is done too."""
    if rng.random() < 0.5:
        kind = rng.choice(sorted({action.kind for action in view.legal}))
        return rng.choice([action for action in view.legal if action.kind == kind])
    return rng.choice(view.legal)


def asked_view(match: Match) -> View:
    """The view of the seat that is asked."""
    assert match.seat_to_act is not None
    return match.view(match.seat_to_act)


def walk(match: Match, rng: Random, choose: Callable[[View, Random], Action] = anything) -> Iterator[Match]:
    """Plays a match to its end, and hands it out at each decision."""
    while not match.is_over:
        yield match
        match.apply(choose(asked_view(match), rng))


@cache
def positions(rules: Rules, players: int, seed: str = "walk", count: int = 12) -> tuple[Match, ...]:
    """Copies of a match at so many of its decisions, drawn at random from all of them. Not to be changed."""
    rng = Random(f"{rules}/{players}/{seed}")
    kept: list[Match] = []
    for number, match in enumerate(walk(rules.match(players, seed), rng)):
        if number < count:
            kept.append(match.copy())
        elif (place := rng.randrange(number + 1)) < count:
            kept[place] = match.copy()
    return tuple(kept)


def facts(view: View) -> dict[str, Any]:
    """All that a view tells: two views are alike if these are."""
    told = {name: getattr(view, name) for name in view.__struct_fields__ if name not in CHAINS}
    for name in ("players", "dealer", "deal", "order", "table", "events", "known"):
        told[name] = getattr(view, name)
    told["texts"] = [view.text(action) for action in view.legal]
    return told


def fingerprint(match: Match) -> dict[str, Any]:
    """All there is to a match that anybody may ask for."""
    return {
        "asked": match.seat_to_act,
        "is over": match.is_over,
        "past": len(match.finished_deals),
        "placings": match.placings,
        "payoffs": match.payoffs,
        "log": [event.text for event in match.deal.log],
        "codes": list(match.deal.action_indices),
        "stock": match.deal.stock.left,
        "views": [facts(match.view(seat)) for seat in range(match.players)],
    }


def unseen_stock(deal: Deal) -> list[str]:
    """The cards that would still come from the stock, in their order."""
    stock = deal.stock.copy()
    return [str(stock.draw()) for _ in range(stock.left)]


def dealt_again(match: Match, seed: str, relabel: Callable[[Any], Any] = lambda card: card) -> Deal:
    """The match's deal as its seed dealt it, from a pack in which cards have changed places."""
    opening = match.deal.opening
    shuffler, what = Shuffler(seed), b"deal %d" % opening.number
    cards = tuple([relabel(card) for card in opening.rules.whole_pack.cards])
    return opening.rules.deal_cards(opening, Stock(cards, True, shuffler, what))
