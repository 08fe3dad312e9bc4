"""Past turns as a view has them: each action with the widow before it."""

from random import Random

import pytest

from arena.families.exchange import FAMILY
from arena.games import ExchangeView, Match, Rules, variant
from arena.games.cards import HIDDEN
from tests.games.support.random_play import table_name

OPTIONS = [
    variant("pounce", private_take=True),
    variant("bastard-brag", open_hands=True),
    variant("bastard-brag", all_up=True),
    variant("extended", pounce=True),
]


def view_of(match: Match, seat: int) -> ExchangeView:
    view = match.view(seat)
    assert isinstance(view, ExchangeView)
    return view


@pytest.mark.parametrize("rules", [*FAMILY.rules, *OPTIONS], ids=table_name)
def test_each_turn_has_the_widow_that_the_seat_saw_before_it(rules: Rules) -> None:
    """Compared with the views that the seats had then."""
    rng, compared = Random("turns"), 0
    for number in range(12):
        match, seen = rules.match(3, f"turns {number}"), [[], [], []]  # type: ignore[var-annotated]
        for _ in range(40):
            actor, legal = match.seat_to_act, match.deal.legal_actions.actions
            assert actor is not None
            before = [view_of(match, seat).widow for seat in range(3)]
            match.apply(rng.choice([request for request in legal if request.kind != "knock"] or legal))
            if match.finished_deals:
                break
            for seat in range(3):
                turns = view_of(match, seat).turns()
                if len(turns) > len(seen[seat]):  # a declined offer is another seat's secret
                    assert turns[-1].seat == actor
                    seen[seat].append(before[seat])
                for turn, widow in zip(turns, seen[seat], strict=True):
                    assert len(turn.widow) == len(widow)
                    assert all(then in (HIDDEN, now) for now, then in zip(turn.widow, widow, strict=True))
                compared += len(turns)
    assert compared > 100
