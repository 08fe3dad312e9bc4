"""Losses and ends that matches compute in compiled code are those of the variant's settlement."""

from dataclasses import dataclass, replace
from random import Random

import pytest

from arena.games import Match, Rules, variant
from arena.games.rankings.base import HandRank
from arena.games.settlement.base import Lives
from arena.games.settlement.holdings import Changes, Holdings, Showdown

ORDER = (1, 2, 3, 0)
IN_TOKENS = [variant("lives", bottom_tie=tie) for tie in ("exact", "sum", "seat")]
IN_TOKENS += [variant("lives", deals=5), variant("tokens")]
IN_TOKENS += [variant(f"trade-and-barter-{name}") for name in ("tokens", "consent")]
IN_TOKENS += [variant("schwimmen"), variant("thirty-one")]


@pytest.mark.parametrize("rules", IN_TOKENS, ids=str)
def test_losses_and_the_end_are_those_of_the_settlement(rules: Rules) -> None:
    settlement, cached, rng = rules.settlement, rules.match_rules, Random(str(rules))
    values = (("nothing", 0), ("point", 1), ("pair", 2))
    for number in range(200):
        hands = [(*rng.choice(values), rng.randrange(3)) for _ in ORDER]
        ranks = [HandRank(grade, (key, key), category, 30) for category, grade, key in hands]
        tokens = tuple(rng.randrange(1, 4) for _ in ORDER)
        held = Holdings(tokens=tokens, went_out=(None,) * 4)
        knocker = rng.choice([None, *ORDER])
        changes = settlement.settle(Showdown(ORDER, ranks, held, knocker))
        assert cached.settle(ORDER, ranks, held, knocker) == changes
        after = settlement.apply_changes(held, changes, number)
        assert cached.apply_changes(held, changes, number) == after
        assert cached.is_over(after, number) == settlement.is_over(after, number)


@pytest.mark.parametrize("name", ["lives", "trade-and-barter-consent"])
def test_hands_are_settled_by_their_strengths_as_by_their_ranks(name: str) -> None:
    rules = variant(name)
    table, rng = rules.rank_table, Random(name)
    held = Holdings(tokens=(3, 2, 1, 1), chips=(0,) * 4, went_out=(None,) * 4)
    for _ in range(200):
        dealt = rng.sample(rules.whole_pack.cards, 12)
        hands = [tuple(dealt[first : first + 3]) for first in range(0, 12, 3)]
        by_ranks = rules.settlement.settle(Showdown(ORDER, [table[hand] for hand in hands], held))
        assert rules.match_rules.settle_hands(ORDER, hands, held) == by_ranks


@pytest.mark.parametrize("rules", [*IN_TOKENS[1:3], variant("tokens"), variant("schwimmen")], ids=str)
def test_settlements_that_need_more_than_strengths_are_given_ranks(rules: Rules) -> None:
    hands = [rules.whole_pack.cards[first : first + 3] for first in range(0, 12, 3)]
    held = Holdings(tokens=(3, 2, 1, 1), went_out=(None,) * 4)
    assert rules.match_rules.settle_hands(ORDER, hands, held) is None


@dataclass(frozen=True, kw_only=True)
class EldestLoses(Lives):
    """A settlement with a worst hand and an end of its own."""

    def find_worst(self, showdown: Showdown, among: object) -> list[int]:
        return [showdown.order[0]]

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == 2


@dataclass(frozen=True, kw_only=True)
class NobodyLoses(Lives):
    """A settlement with losses of its own."""

    def compute_losses(self, showdown: Showdown, losers: object) -> tuple[int, ...]:
        return (0,) * len(showdown.ranks)


def play_passing(settlement: Lives) -> list[Changes | None]:
    """Return the changes of the first deals of a match in which everybody knocks or passes."""
    rules = replace(variant("lives"), settlement=settlement)
    match: Match = rules.match(players=3, seed="own")
    while not match.is_over and len(match.finished_deals) < 4:
        match.apply(match.deal.legal_actions.actions[-1])
    return [deal.changes for deal in match.finished_deals]


def test_a_settlement_derived_from_that_of_lives_is_asked_for_what_it_changes() -> None:
    assert [deal.tokens for deal in play_passing(EldestLoses()) if deal] == [(-1, 0, 0), (0, -1, 0)]
    assert [deal.tokens for deal in play_passing(NobodyLoses()) if deal] == [(0, 0, 0)] * 4
