"""Hidden information, for every variant: cards it cannot know change places, and are drawn anew."""

from random import Random

import pytest

from arena.games import VARIANTS, Deal, Match, Rules, variant
from arena.games.stock import Shuffler, Stock
from tests.games.support.random_play import (
    fingerprint,
    positions,
    table_name,
    unseen_stock,
    view_to_act,
)  # fmt: skip
from tests.games.support.readings import READINGS

PRIVATE = variant("pounce", private_take=True, max_exchange=3)
every_variant = pytest.mark.parametrize("rules", [*VARIANTS, PRIVATE, *READINGS], ids=table_name)


# --- samples ---


@every_variant
def test_samples_are_deals_as_the_rules_play_them(rules: Rules) -> None:
    """However a sample was made: its cards dealt and its actions done again lead to the same position."""
    compared = 0
    for match in positions(rules, min(4, rules.players[-1]), "replayed", 8):
        for world in view_to_act(match).samples(Random(12), 3):
            deal = world.deal
            if not deal.stock.refills:
                again = Match.from_deal(dealt_again(deal), "again")
                for index in deal.action_indices:
                    again.apply(again.deal.legal_actions.actions[index])
                assert fingerprint(again) == fingerprint(world)
                compared += 1
    assert compared >= 9


def dealt_again(deal: Deal) -> Deal:
    """Deal the same hands, table and stock again."""
    used = {*deal.table_dealt}.union(*deal.dealt)
    coming = [*deal.stock.drawn, *map(deal.opening.rules.whole_pack.card, unseen_stock(deal))]
    rest = tuple(dict.fromkeys([card for card in coming if card not in used]))
    if deal.recorded_stock != tuple(deal.stock.drawn):
        rest = deal.recorded_stock  # of Cox's pack, which has equal cards, all are recorded
    stock = Stock(rest, False, Shuffler(""), b"")
    return deal.opening.rules.deal(deal.opening, deal.dealt, deal.table_dealt, stock)


@every_variant
def test_samples_differ_where_something_is_hidden(rules: Rules) -> None:
    match = rules.match(3, "differ")
    view = view_to_act(match)
    rng = Random(13)
    hands = {str(view.sample(rng).deal.hands) for _ in range(5)}
    assert len(hands) == 5
