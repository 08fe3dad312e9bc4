"""The length of a training: estimated, kept to, and shown without a terminal."""

import pytest

from arena.tournament.designs.exploit import (
    Budget,
    TrainingProgress,
    count_choice_blocks,
    count_generation_blocks,
)


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def train(minutes: float, block_s: float, starts: int = 3) -> tuple[int, float]:
    """Return generations and seconds of a training in which a block takes so long."""
    clock = Clock()
    with TrainingProgress(Budget(generations=None, minutes=minutes), starts, True, clock) as progress:

        def play(blocks: int) -> None:
            for _ in range(blocks):
                clock.now += block_s
                progress.count(1)

        play(count_choice_blocks(0, starts))
        generations = 0
        while progress.has_more(generations):
            play(count_generation_blocks())
            generations += 1
        play(count_choice_blocks(generations))
    return generations, clock.now


@pytest.mark.parametrize("block_s", [0.001, 0.02, 0.05, 0.5])
def test_a_training_ends_in_time_unless_a_single_generation_takes_longer(block_s: float) -> None:
    generations, seconds = train(1, block_s)
    assert generations >= 1
    assert seconds <= 60 or generations == 1


def test_no_minutes_are_no_generations() -> None:
    assert train(0, 0.01)[0] == 0


def test_the_time_is_estimated_early_and_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    train(0.5, 0.25)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == (
        "A generation takes about 01:12 (minutes:seconds), a training of one 03:12: longer than --minutes "
        "allows."
    )
    assert lines[1].startswith("Training: 0 generations, ")
    assert len(lines) > 10


def test_a_number_of_generations_is_played_whatever_they_take() -> None:
    with TrainingProgress(Budget(generations=2, minutes=0), 1, False) as progress:
        assert [progress.has_more(played) for played in range(4)] == [True, True, False, False]
