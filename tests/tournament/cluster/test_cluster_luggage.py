"""Bots travel as files and bytes, and are the same by content wherever they are unpacked."""

from pathlib import Path

import msgspec
import pytest

from arena.errors import ConfigError, PluginError
from arena.tournament.cluster import bot_bundle, run_bundle
from arena.tournament.cluster.bot_bundle import clear, lay_out
from arena.tournament.cluster.compatibility import Installation, missing_levels, other_bots, other_rules
from arena.tournament.cluster.run_bundle import Luggage, packed, settled
from arena.tournament.setup.config import make_config
from arena.tournament.workers.block_player import RunPlan

HERE = Installation("0.1.0", "3.11", "0123456789ab")


@pytest.fixture
def plan(tmp_path: Path) -> RunPlan:
    """Of a built-in bot, one in a file, one in a folder, and a command that names two files."""
    home = tmp_path / "home"
    (home / "fold" / "deep").mkdir(parents=True)
    (home / "bot.py").write_text("class Bot:\n    act = print\n")
    (home / "fold" / "bot.toml").write_text('name = "fold"\ncommand = ["./run"]\n')
    (home / "fold" / "run").write_text("#!/bin/sh\n")
    (home / "fold" / "run").chmod(0o755)
    (home / "fold" / "deep" / "data").write_bytes(bytes(range(256)))
    (home / "play.sh").write_text("#!/bin/sh\n")
    bots = ["greedy", "bot.py:Bot", "fold", {"bot": "cmd:/bin/sh play.sh bot.py --flag", "name": "cmd"}]
    table = {"bots": bots, "variants": [{"name": "lives", "players": [2], "tokens": 1}]}
    return RunPlan.from_config(make_config(table, base=home, where="the test"), "any text")


@pytest.fixture
def luggage(plan: RunPlan) -> Luggage:
    """The luggage of the plan, after its way as bytes."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(packed(plan)), type=Luggage)


@pytest.fixture
def away(luggage: Luggage, tmp_path: Path) -> Path:
    """A folder in which it has been unpacked."""
    folder = tmp_path / "away"
    folder.mkdir()
    for parcel in luggage.parcels:
        lay_out(parcel, folder)
    return folder


def test_what_is_unpacked_is_what_was_packed(plan: RunPlan, luggage: Luggage, away: Path) -> None:
    there = settled(luggage.plan, away)
    for old, new in zip(plan.bots, there.bots, strict=True):
        assert (new.name, new.source.kind) == (old.name, old.source.kind)
        assert new.source.digest() == old.source.digest()
    assert [str(away) in str(spec.source) for spec in there.bots] == [False, True, True, True]
    assert str(away.parent / "home") not in str(there.bots)
    assert list(other_bots(luggage, there)) == list(other_rules(luggage)) == []


def test_a_system_s_own_program_does_not_travel(luggage: Luggage, away: Path) -> None:
    command = settled(luggage.plan, away).bots[-1].source
    assert str(command).startswith(f"cmd:/bin/sh {away}/")
    assert "sh" not in [path.name for path in away.rglob("*")]


def test_programs_stay_programs_and_nothing_can_be_written(luggage: Luggage, away: Path) -> None:
    modes = {path.name: path.stat().st_mode & 0o777 for path in away.rglob("*") if path.is_file()}
    assert modes == {"bot.py": 0o444, "bot.toml": 0o444, "run": 0o555, "data": 0o444, "play.sh": 0o444}
    assert {path.stat().st_mode & 0o222 for path in away.rglob("*")} == {0}
    clear(away)
    assert not away.exists()


def test_a_bot_that_is_another_is_named(luggage: Luggage, away: Path) -> None:
    there = settled(luggage.plan, away)
    changed = msgspec.structs.replace(luggage, bots=luggage.bots | {"fold": "0" * 64})
    assert list(other_bots(changed, there)) == ["its fold is made of something else than this one"]


def test_rules_of_another_version_are_named(luggage: Luggage) -> None:
    changed = msgspec.structs.replace(luggage, rules={"lives(tokens=1)": 99})
    assert list(other_rules(changed)) == ["its rules of lives(tokens=1) are 1, and these are 99"]


def test_a_level_that_cannot_be_had_is_named_with_the_reason(
    luggage: Luggage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda *args, **kwargs: None)
    sandboxed = msgspec.structs.replace(
        luggage, plan=msgspec.structs.replace(luggage.plan, levels={"greedy": "inline", "fold": "sandbox"})
    )
    (said,) = missing_levels(sandboxed)
    assert said.startswith("it cannot keep bots at the level sandbox: there is no program")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (HERE, []),
        (Installation("0.1.0", "3.12", "0123456789ab"), ["it runs Python 3.12, and this is 3.11"]),
        (Installation("0.2.0", "3.11", "ba9876543210"), ["its arena is of version 0.2.0, and this is 0.1.0"]),
        (
            Installation("0.1.0", "3.11", "ba9876543210"),
            ["its arena 0.1.0 has other files (ba9876543210) than this one (0123456789ab)"],
        ),
    ],
)
def test_another_house_is_told_from_this_one(other: Installation, said: list[str]) -> None:
    assert list(HERE.unlike(other)) == said
    assert list(Installation.here().unlike(Installation.here())) == []


def test_a_bot_too_large_to_travel_is_refused(plan: RunPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_bundle, "LARGEST", 100)
    with pytest.raises(PluginError, match="fold is of 0 MiB"):
        packed(plan)


def test_bots_too_large_in_all_are_refused(plan: RunPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_bundle, "LARGEST", 300)
    with pytest.raises(ConfigError, match="the bots' files are of 0 MiB in all"):
        packed(plan)
