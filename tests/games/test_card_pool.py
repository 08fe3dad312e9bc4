"""Cards are shuffled as Python's random module does."""

from random import Random

import pytest

from arena.games.card_pool import shuffle_cards
from arena.games.cards import PACKS


@pytest.mark.parametrize("size", [0, 1, 2, 31, 52])
def test_cards_are_shuffled_as_by_a_random_number_generator(size: int) -> None:
    ours, theirs = list(PACKS[52].cards[:size]), list(PACKS[52].cards[:size])
    rng, other = Random(size), Random(size)
    shuffle_cards(ours, rng)
    other.shuffle(theirs)
    assert ours == theirs
    assert rng.random() == other.random()
