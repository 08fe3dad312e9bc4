"""A run of stages that is stopped, wherever it is, comes out as if it had never been."""

from pathlib import Path
from typing import Any

import pytest

from arena.errors import StoreError
from arena.tournament.formats import StageIterator, make_format
from arena.tournament.store.played_blocks import read_outcomes
from arena.tournament.store.store import Store
from tests.tournament import fake_run
from tests.tournament.fake_formats import SEED, config, play, played_run, stages

SMALL: dict[str, dict[str, Any]] = {
    "round-robin": {"blocks": 2},
    "gauntlet": {"blocks": 3},
    "swiss": {"blocks": 3, "rounds": 3},
    "knockout": {"blocks": 3, "max_blocks": 12},
    "ladder": {"blocks": 3},
}
formats = pytest.mark.parametrize("name", SMALL)


@formats
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.full)])
def test_stopped_after_any_block_it_comes_out_the_same(name: str, tmp_path: Path, step: int) -> None:
    made = config(5, 2, format=name, **SMALL[name])
    undisturbed = played_run(tmp_path / "undisturbed", made)
    assert [index for index, _, _ in undisturbed] == list(range(len(undisturbed)))
    for blocks in range(0, len(undisturbed), step):
        assert played_run(tmp_path / f"after {blocks}", made, [blocks]) == undisturbed


@formats
def test_stopped_after_every_block_it_comes_out_the_same(name: str, tmp_path: Path) -> None:
    made = config(5, 2, format=name, **SMALL[name])
    undisturbed = played_run(tmp_path / "undisturbed", made)
    assert played_run(tmp_path / "stopped", made, [1] * len(undisturbed)) == undisturbed


@formats
def test_a_run_is_what_its_course_is_without_a_store(name: str, tmp_path: Path) -> None:
    made = config(5, 2, format=name, **SMALL[name])
    expected = [block.address for blocks in stages(make_format(made, SEED)) for block in blocks]
    assert [address for _, address, _ in played_run(tmp_path / "run", made)] == expected


def test_only_what_the_results_decide_is_there(tmp_path: Path) -> None:
    """Of three rounds of six blocks, seven blocks are played: there is a second round, but no third."""
    made = config(5, 2, format="swiss", **SMALL["swiss"])
    with Store.create(tmp_path, fake_run.METADATA) as store:
        assert play(store, StageIterator(make_format(made, SEED)), blocks=7) == "interrupted"
        walk = StageIterator(make_format(made, SEED))
        for _ in range(2):
            assert [stage.indices for stage in walk.decided(store)] == [range(6), range(6, 12)]
        blocks = [block for stage in walk.decided(store) for block in stage]
        assert len(list(read_outcomes(blocks, store))) == store.count() == 7


def test_stages_go_on_when_more_has_been_played(tmp_path: Path) -> None:
    made = config(5, 2, format="swiss", **SMALL["swiss"])
    walk = StageIterator(make_format(made, SEED))
    with Store.create(tmp_path, fake_run.METADATA) as store:
        for blocks, decided in ((0, 1), (5, 1), (1, 2), (6, 3), (6, 3)):
            play(store, StageIterator(make_format(made, SEED)), blocks)
            assert len(list(walk.decided(store))) == decided


def test_a_store_of_another_seed_is_refused(tmp_path: Path) -> None:
    made = config(5, 2, format="swiss", **SMALL["swiss"])
    with Store.create(tmp_path, fake_run.METADATA) as store:
        play(store, StageIterator(make_format(made, SEED)))
        with pytest.raises(StoreError, match=r"block \d of the store is lives/2/.*, in the schedule it is"):
            list(StageIterator(make_format(made, "another")).decided(store))


def test_a_withdrawal_at_a_checkpoint_leaves_what_was_played_before_alone(tmp_path: Path) -> None:
    made = config(6, 2, format="swiss", blocks=2, rounds=4)
    left = config(6, 2, format="swiss", blocks=2, rounds=4, withdrawn={"bot05": 12})
    whole, short = played_run(tmp_path / "whole", made), played_run(tmp_path / "short", left)
    assert (len(whole), len(short)) == (24, 20)
    assert short[:12] == whole[:12]
    assert any("bot05" in address for _, address, _ in whole[12:])
    assert not any("bot05" in address for _, address, _ in short[12:])
