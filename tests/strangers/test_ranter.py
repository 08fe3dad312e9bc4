"""A game in which cards go from hand to hand unseen, without a sampler of its own."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from arena import load_game
from arena.games import Rules
from arena.games.action import format_cards
from arena.play.game_conformance import check_game
from tests.strangers.loading import forget_games


@pytest.fixture
def ranter() -> Iterator[Rules]:
    with forget_games():
        yield load_game(str(Path(__file__).with_name("ranter.py")))


def test_it_passes_the_check_and_its_samples_are_uniform(ranter: Rules) -> None:
    findings = check_game(ranter, matches=3, uniformity_tests=1, fresh_process=False)
    assert (findings.issues, findings.notes) == ((), ())
    assert findings.counts.uniformity_tests == 1


def test_a_king_that_was_shown_is_in_the_hand_of_every_world(ranter: Rules) -> None:
    """Refusing is legal with a king alone: it must be dealt there before the action can be done."""
    for number in range(200):
        match = ranter.match(players=4, seed=f"k{number}")
        match.apply(match.deal.legal_actions.actions[0])
        if match.deal.legal_actions.actions[-1].kind == "refuse":
            break
    holder = match.seat_to_act
    assert holder is not None
    match.apply(match.deal.legal_actions.actions[-1])
    view = match.view((holder + 1) % 4)
    king = view.past[-1].cards
    assert view.known[holder] == king
    for world in view.samples(Random(1), 20):
        assert format_cards(king) in format_cards(world.deal.dealt[holder])
