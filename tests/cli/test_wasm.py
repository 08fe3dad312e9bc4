"""A run of WebAssembly modules: the same bytes for any jobs and level, though some run out of fuel."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from arena.play.isolation import probe
from tests.cli.conftest import Arena
from tests.play.bot_runtime.wasm_modules import REFUSED, module, write_bot

pytest.importorskip("wasmtime")

SOMETIMES_ENDLESS = """(if (i32.eqz (i32.rem_u
    (i32.load8_u (i32.add (local.get 0) (i32.const 66))) (i32.const 4)))
    (then (loop (br 0)))) (i32.const 0)"""
"""An `act` that depends on the rank of the first card, in JSON."""
CONFIG = """
bots = ["./endless", "./first", "greedy"]
blocks = 3
seed = "the same on every machine"
[limits]
fuel = 100000
start_ms = 60000
[[variants]]
name = "lives"
players = 3
"""


def test_a_run_out_of_fuel_is_the_same_everywhere(
    arena: Arena, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(here / "endless", module(SOMETIMES_ENDLESS))
    write_bot(here / "first", module())
    (here / "run.toml").write_text(CONFIG)
    calls = {"alone": ("wasm", 1), "together": ("wasm", 2), "apart": ("sandbox", 2)}
    if not probe("sandbox").usable:
        calls["apart"] = ("process", 2)
    for name, (level, jobs) in calls.items():
        played = arena("run", "run.toml", "--isolation", level, "--jobs", jobs, "--out", name)
        assert played.exit_code == 0, played.output
    files = {
        path: {(here / name / path).read_bytes() for name in calls} for path in ("matches.csv", "elo.csv")
    }
    assert {path: len(contents) for path, contents in files.items()} == {"matches.csv": 1, "elo.csv": 1}
    faults = {row.split(",")[-1] for row in (here / "alone/matches.csv").read_text().splitlines()[1:]}
    assert faults & {"1", "2", "3"}
    again = arena("verify", "alone", "--play-again", "2", "--json")
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["notes"] == []
    monkeypatch.setattr("arena.tournament.store.metadata.version", lambda name: "51.0.0")
    other = json.loads(arena("verify", "alone", "--json").stdout)["notes"]
    assert [note for note in other if "wasmtime" in note] == [
        f"the run began with wasmtime {version('wasmtime')}, this is 51.0.0"
    ]


def test_a_module_that_does_not_load_is_disqualified_at_each_level(arena: Arena, here: Path) -> None:
    write_bot(here / "first", module())
    write_bot(here / "imports", REFUSED["imports"][0])
    write_bot(here / "linked", module())
    (here / "linked/bot.wasm").rename(here / "elsewhere.wasm")
    (here / "linked/bot.wasm").symlink_to(here / "elsewhere.wasm")
    (here / "run.toml").write_text(CONFIG.replace("3\nseed", "6\nseed").replace("./endless", "./imports"))
    results = set()
    for level in ("wasm", "process"):
        call = ("run", "run.toml", "--isolation", level, "--jobs", 1, "--on-fault", "keep", "--out", level)
        played = arena(*call)
        assert played.exit_code == 0, played.output
        assert "imports is disqualified from block 4 on: it lost 12 of 12 matches" in played.output
        results.add(tuple((here / level / name).read_bytes() for name in ("matches.csv", "elo.csv")))
        card = arena("check", "./imports", "--isolation", level)
        assert card.exit_code == 1
        assert "no-start" in card.output
        assert "imports wasi.clock: a bot imports nothing" in card.output
    assert len(results) == 1
    for level in ("wasm", "process"):
        assert "is a link or a device" in arena("check", "./linked", "--isolation", level).output
