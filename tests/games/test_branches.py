"""Branches of matches, playouts, and matches begun again."""

from random import Random

import pytest

from arena.errors import IllegalAction
from arena.games import VARIANTS, Action, Match, Rules, View, variant
from tests.games.support.random_play import fingerprint, positions, table_name

every_variant = pytest.mark.parametrize("rules", VARIANTS, ids=table_name)


def hashed_choice(view: View) -> Action:
    """Choose by what the view shows, the same in equal views."""
    return Random(f"{view.seat} {view.hand} {view.events}").choice(view.legal)


def first_legal(view: View) -> Action:
    return view.legal[0]


@every_variant
def test_a_branch_is_the_deal_in_hand_and_ends_with_it(rules: Rules) -> None:
    for match in positions(rules, 3, "branches", 5):
        before = fingerprint(match)
        branch, whole = match.branch(), match.copy()
        assert branch.finished_deals == []
        deal = branch.playout([hashed_choice] * 3)
        assert fingerprint(match) == before
        assert whole.playout([hashed_choice] * 3).changes == deal.changes
        assert branch.is_over
        assert branch.finished_deals == [deal]
        assert branch.seat_to_act is None
        assert branch.payoffs == rules.settlement.payoffs(branch.holdings, branch.start)


@every_variant
def test_a_playout_goes_to_the_end_of_the_match(rules: Rules) -> None:
    match = rules.match(2, "whole")
    first = match.deal
    assert match.playout([hashed_choice] * 2, until="match") is first
    assert match.is_over
    assert match.finished_deals[0] is first


@every_variant
def test_a_match_begun_again_has_the_same_cards_whatever_is_done(rules: Rules) -> None:
    first = rules.match(3, "again")
    first.playout([hashed_choice] * 3, until="match")
    again, new = first.restart(), rules.match(3, "again")
    assert fingerprint(again) == fingerprint(new)
    for match in (again, new):
        match.playout([lambda view: view.legal[-1]] * 3, until="match")
    assert fingerprint(again) == fingerprint(new)
    assert [deal.dealt for deal in again.finished_deals] == [deal.dealt for deal in new.finished_deals]


def test_copies_of_a_branch_end_with_the_deal_too() -> None:
    branch = variant("lives").match(3, "copies").branch().copy()
    branch.playout([first_legal] * 3)
    assert (branch.is_over, len(branch.finished_deals)) == (True, 1)


def test_a_branch_of_a_match_that_is_over_is_over() -> None:
    match = variant("lives", tokens=1).match(2, "over")
    match.playout([first_legal] * 2, until="match")
    branch = match.branch()
    assert branch.is_over
    assert branch.playout([first_legal] * 2) is match.deal


def test_each_seat_is_asked_for_its_own_view_and_never_where_there_is_no_choice() -> None:
    asked: list[int] = []

    def policy_of(seat: int) -> object:
        def choose(view: View) -> Action:
            assert view.seat == seat
            assert len(view.legal) > 1
            asked.append(seat)
            return view.legal[-1]

        return choose

    match = variant("cuccu").match(3, "asked")
    match.playout([policy_of(seat) for seat in range(3)], until="match")  # type: ignore[misc]
    assert set(asked) == {0, 1, 2}


def test_a_playout_refuses_other_ends_and_illegal_actions() -> None:
    match: Match = variant("lives").match(2, "refused")
    with pytest.raises(ValueError, match="'deal' or 'match', not 'game'"):
        match.playout([first_legal] * 2, until="game")  # type: ignore[arg-type]
    with pytest.raises(IllegalAction):
        match.playout([lambda view: view.text(view.legal[0])] * 2)  # type: ignore[list-item, return-value]


@every_variant
def test_the_decisions_of_a_deal_are_those_that_were_made(rules: Rules) -> None:
    match, made = rules.match(3, "decisions"), []
    while not match.finished_deals:
        deal, seat = match.deal, match.seat_to_act
        assert seat is not None
        view = match.view(seat)
        chosen = hashed_choice(view)
        if len(view.legal) > 1:
            made.append((seat, view.hand, view.events, view.legal, chosen))
        match.apply(chosen)
        decisions = [(v.seat, v.hand, v.events, v.legal, action) for v, action in rules.decisions(deal)]
        assert decisions == made
    assert made


@every_variant
def test_the_decisions_of_a_sampled_deal_are_what_the_view_has_seen(rules: Rules) -> None:
    for match in positions(rules, 3, "decisions", 3):
        seat = match.seat_to_act
        assert seat is not None
        own = [
            (view.hand, view.events, action)
            for view, action in rules.decisions(match.deal)
            if view.seat == seat
        ]
        for world in match.view(seat).samples(Random(1), 3):
            again = [
                (view.hand, view.events, action)
                for view, action in rules.decisions(world.deal)
                if view.seat == seat
            ]
            assert again == own
