"""Samples of blocks, and the chance that they show a forgery."""

import pytest

from arena.tournament.review.verification import BlockSample, draw_sample


def test_a_seed_draws_the_same_blocks_again() -> None:
    drawn = draw_sample(range(100), 10, None, "play-again")
    assert len(drawn.blocks) == 10
    assert draw_sample(reversed(range(100)), 10, drawn.seed, "play-again") == drawn
    assert draw_sample(range(100), 10, drawn.seed, "replay").blocks != drawn.blocks
    assert draw_sample(range(100), 10, None, "play-again").blocks != drawn.blocks


def test_every_block_is_drawn_equally_often() -> None:
    drawn = [draw_sample(range(10), 3, str(seed), "replay").blocks for seed in range(2000)]
    for index in range(10):
        assert 500 < sum(index in blocks for blocks in drawn) < 700  # 600, standard deviation 20


@pytest.mark.parametrize(
    ("drawn", "share", "chance"),
    [(10, 0.0, 0.0), (10, 0.01, 0.1), (2, 0.05, 1 - 95 * 94 / (100 * 99)), (2, 0.995, 1.0)],
)
def test_the_chance_is_hypergeometric(drawn: int, share: float, chance: float) -> None:
    assert BlockSample("", tuple(range(drawn)), 100).detection(share) == pytest.approx(chance)
