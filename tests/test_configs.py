"""Every config of the repository is played, shortened, by the bots it names."""

import csv
from pathlib import Path

import msgspec
import pytest

from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import read_config

SHORT = {"quick", "house-rules", "cox", "swiss", "knockout", "ladder"}
"""Configs of which no other has the parts."""
CONFIGS = [
    pytest.param(path, marks=[pytest.mark.full] if path.stem not in SHORT else [], id=path.stem)
    for path in sorted((Path(__file__).parents[1] / "configs").glob("*.toml"))
]


@pytest.mark.parametrize("path", CONFIGS)
def test_config_is_played_to_its_end_without_a_fault(path: Path, tmp_path: Path) -> None:
    config = msgspec.structs.replace(read_config(path), blocks=1, seed="any text")
    if hasattr(config.keys, "tables"):
        config = msgspec.structs.replace(config, keys=msgspec.structs.replace(config.keys, tables=1))
    if config.format == "knockout":
        config = msgspec.structs.replace(config, max_blocks=8)
    run = Run.create(config, RunFolder.create(tmp_path / path.stem))
    assert run.play(RunOptions(jobs=1)) == "done"
    with (run.folder.path / "matches.csv").open(encoding="utf-8", newline="") as file:
        played = list(csv.DictReader(file))
    assert {row["variant"] for row in played} == {str(entry.rules) for entry in config.variants}
    assert {row["faults"] for row in played} == {"0"}
