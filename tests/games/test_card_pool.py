"""Random numbers that decide several choices at once."""

from collections import Counter
from random import Random

from arena.games.cards import MAX_DRAW_BITS, SPARE_BITS, plan_choices

TIMES = 6000


def choose(counts: list[int], rng: Random) -> list[int]:
    """Return choices one after the other, each below its count."""
    chosen = []
    for draw in plan_choices(counts):
        number = draw.random_number(rng)
        for place in draw.slots:
            number, choice = divmod(number, counts[place])
            chosen.append(choice)
    return chosen


def test_all_choices_are_as_likely() -> None:
    rng = Random("choices")
    counts = Counter([tuple(choose([3, 1, 2], rng)) for _ in range(TIMES)])
    assert sorted(counts) == [(first, 0, other) for first in range(3) for other in range(2)]
    assert all(abs(count - TIMES / 6) < 5 * (TIMES / 6) ** 0.5 for count in counts.values())


def test_long_rows_of_choices_take_several_numbers_of_a_machine_word() -> None:
    counts = [9] * 40
    draws = plan_choices(counts)
    assert [place for draw in draws for place in draw.slots] == [*range(40)]
    assert 2 < len(draws) < 5
    assert all(draw.bits <= MAX_DRAW_BITS + SPARE_BITS for draw in draws)
    assert all(draw.limit % draw.ways == 0 for draw in draws)
    assert all(0 <= choice < 9 for choice in choose(counts, Random("long")))
