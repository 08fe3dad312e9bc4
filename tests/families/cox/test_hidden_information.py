"""Views of Cox's game, and samples of them."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from arena.families.cox.heuristic import Collector
from arena.families.cox.view import CoxView
from arena.games import Match, View
from arena.games.cards import Card, Hand
from arena.games.stock import Shuffler, Stock
from tests.games.support.cox_deals import COX, PACK, cox, played, view
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal


def facts(seen: View) -> dict[str, object]:
    """Return the contents of a view."""
    assert isinstance(seen, CoxView)
    names = ("hand", "sets", "greenbacks", "discards", "discard", "stock_left", "replaced", "bases", "events")
    return {name: getattr(seen, name) for name in (*names, "known", "legal", "dealt", "holdings")}


DEALS = """
at the end all racks are shown
    cox | a3 a3 a3 s1 s1 s1 p4 p5 / a1 s2 p2 a4 s5 f1 g1 i1 | front p4
    0:draw, 0:discard p5, 0:sell -> heard 0: ... show 1 a1 a4 s2 s5 p2 f1 g1 i1, show 0 p4 p4
ruling c30 a draw is known to who draws
    cox | a1 a2 s1 s3 p1 p2 f4 i3 / a1 s2 p4 a4 s5 f1 g1 i1 | front $2 | back p5
    0:draw -> heard 0: 0:draw, show 0 $2, replace 0 p5; heard 1: 0:draw, show 0 $2, replace 0 ??;
        cards 0: $2 / $2 / p5; cards 1: ?? / $2 / ??
ruling c30 what is put down is known to all but not from which slot
    # A rack stands in order: its third card being an s3 would say that two go before it.
    cox | a1 a1 aC s3 p1 p2 f4 i3 / a1 s2 p4 a4 s5 f1 g1 i1 | front p5
    0:draw, 0:lay a1 a1 aC, 0:discard p2 -> heard 0 1: 0:draw, 0:lay a1 a1 aC, 0:discard p2;
        slots 0 1: - / - / -; knows 0: - / -; knows 1: a1 a1 aC / -; view discards 0 1: p2
a declined offer is not public
    cox | a1 a1 aC s3 p1 p2 f4 i3 / p5 p5 p4 a4 s5 f1 g1 i1 / a2 a3 p4 a4 s5 f2 g2 i2
        / a2 s1 p1 a5 s4 f3 g3 i4 | front p5
    0:draw, 0:hold, 0:discard p5 -> asked 1; heard 2: 0:draw, 0:discard p5
    1:leave -> heard 0: 0:draw, 0:hold, 0:discard p5; heard 1: 0:draw, 0:discard p5, 1:leave;
        heard 2: 0:draw, 0:discard p5; log 0:draw, 0:hold, 0:discard p5, 1:leave
a declined sale is not public
    cox | a3 a3 a3 s1 s1 s1 p4 pC / a1 s2 p2 a4 s5 f1 g1 i1 / a2 s3 p2 a4 s5 f2 g2 i2 | front p5
    0:draw, 0:discard p5 -> legal sell, hold; heard 1: show 0 a3 a3 a3, show 0 s1 s1 s1, 0:draw, 0:discard p5
    0:hold -> heard 1: show 0 a3 a3 a3, show 0 s1 s1 s1, 0:draw, 0:discard p5
what an action would leave of the rack
    cox | a3 a3 a3 a3 s1 sC p4 s1 / a1 s2 p2 a4 s5 f1 g1 i1 | front p5 | -> leaves a3 s1 s1 sC p4 ??
    0:draw -> legal lay a3, lay s1 s1 sC, hold; leaves s1 s1 sC p4 p5 ?? / a3 p4 p5 / a3 s1 s1 sC p4 p5
"""
test_deals = scripted_cases(DEALS, cox=cox)


# --- ruling C30: discards, what is laid out and the sizes of the bases are public ---


def dealt(match: Match, row: list[Card]) -> Match:
    """The match's deal made of these cards, in the order they are dealt."""
    size = 8 * match.players
    hands = [tuple(row[place : place + 8]) for place in range(0, size, 8)]
    stock = Stock(tuple(row[size:]), False, Shuffler(""), b"")
    return Match.from_deal(COX.deal(match.deal.opening, hands, (), stock), "again")


def legal(match: Match) -> list[str]:
    """Return the legal actions of the seat that is asked, in notation."""
    return [match.text(action) for action in match.deal.legal_actions.actions]


def played_alike(match: Match, other: Match, seat: int) -> bool:
    """Return whether all actions are legal with the other cards, and the table does the same."""
    for event in match.view(seat).past:
        if event.seat is not None:
            text = event.text.split(":")[1]
            while other.seat_to_act != event.seat or text not in legal(other):
                if other.deal.legal_actions.default.kind not in ("leave", "hold"):
                    return False
                other.apply(other.deal.legal_actions.default)
            other.apply(other.parse(text))
    if other.seat_to_act != match.seat_to_act:
        return False
    kinds = [
        [(e.seat, e.action.template) for e in world.view(seat).past if e.action.kind != "draw"]
        for world in (match, other)
    ]
    return kinds[0] == kinds[1]


# --- samples ---


def collector(match: Match) -> object:
    seen = match.view(match.seat_to_act)  # type: ignore[arg-type]
    assert isinstance(seen, CoxView)
    return Collector().act(seen)


@pytest.mark.parametrize("choose", [None, collector], ids=["anything", "collector"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_sample_shows_the_same_to_every_seat(players: int, choose: object) -> None:
    rng = Random("samples")
    for number, match in enumerate(played("sampled", players, choose)):
        if number % 37 == 0:
            for seat in range(players):
                if seat == match.seat_to_act or "buy" not in " ".join(match.view(seat).events[-2:]):
                    drawn = match.view(seat).sample(rng)
                    assert facts(drawn.view(seat)) == facts(match.view(seat))
                    assert Counter(all_cards(drawn)) == Counter(PACK.cards)


def all_cards(match: Match) -> Hand:
    deal = match.deal
    return (*[card for hand in deal.dealt for card in hand], *deal.recorded_stock)


def rejected(
    table: ScriptedDeal, seat: int, rng: Random, count: int, promising: Callable[[list[Card]], bool]
) -> list[Match]:
    """Matches this seat may be in, by the long way: any shuffle in which all that it saw can be done."""
    seen = view(table, seat)
    match = Match.from_deal(table.deal, "")
    own = range(8 * seat, 8 * seat + 8)
    row = list(all_cards(match))
    others = [place for place in range(80) if place not in own]
    worlds: list[Match] = []
    while len(worlds) < count:
        cards = [row[place] for place in others]
        rng.shuffle(cards)
        for place, card in zip(others, cards, strict=True):
            row[place] = card
        if promising(row):
            other = dealt(match, row)
            if played_alike(match, other, seat) and other.view(seat).events == seen.events:
                worlds.append(other)
    return worlds


@pytest.mark.parametrize(("count", "error"), [(150, 0.11), pytest.param(1000, 0.045, marks=pytest.mark.full)])
def test_samples_are_as_likely_as_the_shuffles_in_which_it_happens(count: int, error: float) -> None:
    """Seat 1 has twice thrown a five: how often had he just drawn it, and how often has he another?"""
    hands = ["a1 a2 s1 s3 p1 p2 f4 i3", "a5 a5 s2 p3 f1 g1 i1 s4"]
    table = cox(hands, front="p5 s5 p3", retailer=1)
    table.play("1:draw", "1:discard a5", "0:draw", "0:discard s5", "1:draw", "1:discard a5")
    rng = Random("likely")
    (five,) = PACK.parse("a5")

    def has_two_fives(row: list[Card]) -> bool:
        return [*row[8:17], row[18]].count(five) >= 2

    long_way = [told(match) for match in rejected(table, 0, rng, count, has_two_fives)]
    samples = [told(world) for world in view(table, 0).samples(rng, count)]
    for fact in range(4):
        expected = sum(facts_of_world[fact] for facts_of_world in long_way) / count
        assert sum(sample[fact] for sample in samples) / count == pytest.approx(expected, abs=error)


def told(match: Match) -> tuple[float, ...]:
    """True if seat 1 drew a five of automobiles first, and second; how many he has left; how much fruit."""
    deal = match.deal
    first, _, second = [str(card) for card in deal.recorded_stock[:3]]
    left = [str(card) for card in deal.hands[1]]
    return (first == "a5", second == "a5", left.count("a5"), sum(card[0] == "f" for card in left))
