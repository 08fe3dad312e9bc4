"""Samples are uniform: compared with an enumeration of all deals and choices, in packs of few cards."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from arena.games import Match, Rules, variant
from arena.games.cards import Pack
from tests.games.support.enumeration import describe, enumerate_ways

SMALLEST_EXPECTED = 12
"""Times that each way is expected to be drawn."""


def small_cambio() -> Rules:
    rules = replace(variant("cambio"), hand_size=2)
    cards = rules.whole_pack.parse("AS 2S 3H 7S 9C JS QH KD")
    vars(rules)["whole_pack"] = Pack("eight-card", cards, rules.whole_pack.ranks)
    return rules


GAMES: dict[str, tuple[Rules, int, int]] = {  # rules, players, actions
    "lives": (variant("lives", pack=12), 2, 4),
    "pounce": (variant("pounce", pack=12), 2, 5),
    "trentuno": (variant("trentuno", pack=12), 2, 1),
    "bastard-brag": (variant("bastard-brag", pack=12), 2, 2),
    "ready-money": (variant("ready-money", pack=8), 2, 6),
    "trade-and-barter": (variant("trade-and-barter", pack=8), 2, 6),
    "a horse, bought": (variant("trade-and-barter", pack=8, pooled=True, tokens=1), 2, 6),
    "trade-and-barter-consent": (variant("trade-and-barter-consent", pack=8), 2, 6),
    "thirty-one": (variant("thirty-one", pack=8), 2, 3),
    "cuccu": (variant("cuccu", pack=8), 3, 2),
    "cambio": (small_cambio(), 2, 5),
}


def play_some(rules: Rules, players: int, actions: int, rng: Random) -> Match:
    """Return a match in its first deal after some random actions.

    None of them ends the trading, but where it is settled as `pool` is a knock does: then a horse is offered.
    """
    while True:
        match = rules.match(players, str(rng.random()))
        for _ in range(actions):
            legal = match.deal.legal_actions.actions
            going = [one for one in legal if one.kind not in ("knock", "stand", "cambio")]
            match.apply(rng.choice(going or legal))
            if match.finished_deals:
                break
        if rules.pooled and not match.finished_deals:
            while match.deal.legal_actions.actions[0].kind == "give":
                match.apply(rng.choice(match.deal.legal_actions.actions))
            match.apply(match.parse("knock"))
        if not match.finished_deals and not match.deal.stock.refills:
            return match


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.full)])
def test_all_deals_and_choices_are_sampled_equally_often(game: str, seed: int) -> None:
    """Chi squared against equal odds: its mean is one less than the cases, its variance twice that."""
    rules, players, actions = GAMES[game]
    rng = Random(f"{game} {seed}")
    match = play_some(rules, players, actions, rng)
    seat = match.seat_to_act
    assert seat is not None
    possible = Counter(enumerate_ways(match, seat))
    assert len(possible) > 1
    assert len(set(possible.values())) == 1
    times = SMALLEST_EXPECTED * len(possible)
    sampled = Counter([describe(world.deal) for world in match.view(seat).samples(rng, times)])
    assert sampled.keys() <= possible.keys()
    squares = sum([(sampled[one] - SMALLEST_EXPECTED) ** 2 for one in possible]) / SMALLEST_EXPECTED
    freedom = len(possible) - 1
    assert abs(squares - freedom) < 5 * (2 * freedom) ** 0.5
