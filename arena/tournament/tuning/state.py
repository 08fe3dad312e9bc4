"""The state of a tuning, kept in its folder."""

from pathlib import Path
from typing import Final

import msgspec

from arena.errors import StoreError
from arena.tournament.files.run_folder import replace_file
from arena.tournament.tuning.gain import GameGain
from arena.tournament.tuning.parameters import Parameter

STATE: Final = "tuning.json"
MAX_STATE_BYTES: Final = 64 << 20


class Generation(msgspec.Struct, frozen=True):
    """A generation that was played whole.

    Attributes:
        candidates: Settings of each candidate.
        scores: Mean score of each, 0 to 1, over all blocks for those that played all, else over the first
            half.
        ranks: Rank of each, 0 for the best; those that played all are before the others.
        mean: Settings at the mean of the search after it.
        faults: Number of faults of each.
    """

    candidates: list[dict[str, int | float]]
    scores: list[float]
    ranks: list[int]
    mean: dict[str, int | float]
    faults: list[int] = []


class Played(msgspec.Struct, frozen=True):
    """Scores and faults of an interrupted generation or comparison.

    Attributes:
        scores: Scores of each candidate, in its first blocks.
        faults: Number of faults of each in them.
    """

    scores: list[list[float]]
    faults: list[int]


class Terms(msgspec.Struct, frozen=True):
    """The terms that decide the result of a tuning; they stay the same when it is resumed."""

    config: str
    digests: list[str]
    parameters: list[Parameter]
    candidates: int
    blocks: int
    seed: str


class State(msgspec.Struct, frozen=True):
    """The content of the folder: whole generations, the comparison at the end, and what is unfinished."""

    terms: Terms
    generations: list[Generation] = []
    gains: list[GameGain] = []
    final_blocks: int = 0
    faults: int = 0
    played: dict[str, Played] = {}


def read_state(folder: Path) -> State | None:
    """Return what a folder has kept; None if there is nothing.

    Raises:
        StoreError: If it is damaged.
    """
    path = folder / STATE
    try:
        if path.stat().st_size > MAX_STATE_BYTES:
            raise StoreError(f"{path} is larger than {MAX_STATE_BYTES >> 20} MiB")
        return msgspec.json.decode(path.read_bytes(), type=State)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error


def write_state(folder: Path, state: State) -> None:
    """Replace what a folder has kept; the folder is created."""
    folder.mkdir(parents=True, exist_ok=True)
    with replace_file(folder / STATE) as file:
        file.write(msgspec.json.format(msgspec.json.encode(state), indent=1))
