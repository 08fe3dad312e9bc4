"""Seeds belong to an address: the same one always gives the same, any other gives another."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.schedule import bot_seed, commitment, deal_seed, make_seed, schedule_rng

Fields = st.lists(st.text(), max_size=4)


def test_the_streams_are_apart() -> None:
    seeds = [
        deal_seed("run", "address"),
        bot_seed("run", "address", 0, 0),
        bot_seed("run", "address", 1, 0),
        bot_seed("run", "address", 0, 1),
        deal_seed("run", "address/0"),
        deal_seed("run2", "address"),
        commitment("run"),
        f"{schedule_rng('run', 'address').getrandbits(128):032x}",
    ]
    assert all(len(seed) == 32 for seed in seeds)
    assert all(a != b for a, b in combinations(seeds, 2))


def test_a_seed_never_changes() -> None:
    """Published runs are repeated by their seed: these are fixed for good."""
    assert deal_seed("run", "lives/2/a+b/0") == "2c6f0cc4acebc7fea97c2dee2ce8800c"
    assert bot_seed("run", "lives/2/a+b/0", 1, 0) == "c5ba867ec19bdcd7833f4e4d18222538"
    assert schedule_rng("run", "seating", "lives/2/a+b/0").getrandbits(32) == 2764972769


@given(Fields, Fields)
def test_fields_are_not_confused_however_they_are_cut(one: list[str], other: list[str]) -> None:
    same = schedule_rng("run", *one).getrandbits(128) == schedule_rng("run", *other).getrandbits(128)
    assert same == (one == other)


def test_a_run_without_a_seed_draws_one() -> None:
    assert make_seed("mine") == "mine"
    assert len({make_seed() for _ in range(10)}) == 10
    assert all(len(bytes.fromhex(make_seed())) == 16 for _ in range(10))


def test_any_text_is_a_seed() -> None:
    assert len({deal_seed(text, "a") for text in ("", " ", "é", "e\u0301", "\udcff", "\0")}) == 6
