"""Data sent to a cluster and back: bots as files and bytes, and log records of workers."""

import logging
import pickle
import threading
from pathlib import Path

import msgspec
import pytest

from arena.errors import ConfigError, PluginError
from arena.plugins import FolderBot
from arena.tournament.engine import dask, run_bundle
from arena.tournament.engine.block_player import RunPlan
from arena.tournament.engine.dask import (
    Installation,
    bot_differences,
    collect_records,
    log_again,
    missing_levels,
    rule_differences,
)
from arena.tournament.engine.run_bundle import RunBundle, build_bundle, extract, remove_folder
from arena.tournament.setup.config import make_config

LOCAL = Installation("0.1.0", "3.11", "0123456789ab")


@pytest.fixture
def plan(tmp_path: Path) -> RunPlan:
    """A plan with a built-in bot, one in a file, one in a folder, and a command that names two files."""
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
def bundle(plan: RunPlan) -> RunBundle:
    """The bundle of the plan, as a worker decodes it."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(build_bundle(plan)), type=RunBundle)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "away"


@pytest.fixture
def extracted(bundle: RunBundle, folder: Path) -> RunPlan:
    return extract(bundle, folder)


def test_extracted_bots_equal_the_original_ones(
    plan: RunPlan, bundle: RunBundle, extracted: RunPlan, folder: Path
) -> None:
    for old, new in zip(plan.bots, extracted.bots, strict=True):
        assert (new.name, new.source.kind) == (old.name, old.source.kind)
        assert new.source.digest() == old.source.digest()
    assert [str(folder) in str(spec.source) for spec in extracted.bots] == [False, True, True, True]
    assert str(folder.parent / "home") not in str(extracted.bots)
    assert list(bot_differences(bundle, extracted)) == list(rule_differences(bundle)) == []


def test_system_programs_are_not_sent(extracted: RunPlan, folder: Path) -> None:
    assert str(extracted.bots[-1].source).startswith(f"cmd:/bin/sh {folder}/")
    assert "sh" not in [path.name for path in folder.rglob("*")]


@pytest.mark.usefixtures("extracted")
def test_programs_stay_executable_and_nothing_is_writable(folder: Path) -> None:
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.is_file()}
    assert modes == {"bot.py": 0o444, "bot.toml": 0o444, "run": 0o555, "data": 0o444, "play.sh": 0o444}
    assert {path.stat().st_mode & 0o222 for path in folder.rglob("*")} == {0}
    remove_folder(folder)
    assert not folder.exists()


def test_a_bot_that_differs_is_named(bundle: RunBundle, extracted: RunPlan) -> None:
    changed = msgspec.structs.replace(bundle, digests=bundle.digests | {"fold": "0" * 64})
    assert list(bot_differences(changed, extracted)) == ["its fold is made of something else than this one"]


def test_a_bot_without_its_packages_is_named_with_the_reason(tmp_path: Path, folder: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "bot.toml").write_text('name = "net"\nclass = "bot.py:Net"\n')
    (home / "bot.py").write_text("class Net:\n    act = print\n")
    (home / "requirements.txt").write_text("numpy>=2\n")
    table = {"bots": [str(home), "greedy"], "variants": [{"name": "lives", "players": 2}]}
    bundle = build_bundle(RunPlan.from_config(make_config(table, base=home, where="the test"), "any text"))
    (difference,) = bot_differences(bundle, extract(bundle, folder))
    assert difference.startswith("it cannot start net: the packages of ")
    assert "(numpy>=2) are not installed for " in difference


def test_rules_of_another_version_are_named(bundle: RunBundle) -> None:
    changed = msgspec.structs.replace(bundle, rules={"lives(tokens=1)": 99})
    assert list(rule_differences(changed)) == ["its rules of lives(tokens=1) are 1, and these are 99"]


def test_an_isolation_level_that_does_not_work_is_named_with_the_reason(
    bundle: RunBundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda *args, **kwargs: None)
    sandboxed = msgspec.structs.replace(
        bundle, plan=msgspec.structs.replace(bundle.plan, levels={"greedy": "inline", "fold": "sandbox"})
    )
    (reason,) = missing_levels(sandboxed)
    assert reason.startswith("it cannot run bots at the level sandbox: there is no program")


@pytest.mark.parametrize(
    ("other", "differences"),
    [
        (LOCAL, []),
        (Installation("0.1.0", "3.12", "0123456789ab"), ["it runs Python 3.12, and this is 3.11"]),
        (Installation("0.2.0", "3.11", "ba9876543210"), ["its arena is of version 0.2.0, and this is 0.1.0"]),
        (
            Installation("0.1.0", "3.11", "ba9876543210"),
            ["its arena 0.1.0 has other files (ba9876543210) than this one (0123456789ab)"],
        ),
    ],
)
def test_differences_of_installations(other: Installation, differences: list[str]) -> None:
    assert list(LOCAL.differences(other)) == differences
    assert list(Installation.local().differences(Installation.local())) == []


def test_a_bot_too_large_to_send_is_refused(plan: RunPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_bundle, "MAX_BOT_BYTES", 100)
    with pytest.raises(PluginError, match="fold has more than 0 MiB of files"):
        build_bundle(plan)


def test_bots_too_large_in_all_are_refused(plan: RunPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_bundle, "MAX_RUN_BYTES", 300)
    with pytest.raises(ConfigError, match="the files of bots and games have 0 MiB in all"):
        build_bundle(plan)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_file_swapped_for_a_link_is_not_sent(
    plan: RunPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The folder's owner may do so after the files were listed and hashed."""
    deep, secret = tmp_path / "home/fold/deep", tmp_path / "secret"
    secret.mkdir()
    (secret / "data").write_text("the password")
    [files] = [spec.source.files() for spec in plan.bots if isinstance(spec.source, FolderBot)]
    swapped, target = (deep, secret) if kind == "folder" else (deep / "data", secret / "data")
    swapped.rename(tmp_path / "aside")
    swapped.symlink_to(target)
    monkeypatch.setattr(FolderBot, "digest", lambda bot: "0" * 64)
    monkeypatch.setattr(FolderBot, "files", lambda bot: files)
    with pytest.raises(PluginError, match="data is a link or a device"):
        build_bundle(plan)


WORKER = "tcp://worker:1"

log = logging.getLogger("arena.test")


def test_records_are_logged_again_as_they_were(caplog: pytest.LogCaptureFixture) -> None:
    with collect_records(logging.INFO, WORKER) as records:
        log.info("all %s", "well")
        log.debug("below the level")
        try:
            raise ValueError("trouble")
        except ValueError:
            log.exception("caught")
    caplog.clear()
    log_again(pickle.loads(pickle.dumps(records)))
    first, second = caplog.records
    assert (first.name, first.levelname, first.getMessage()) == ("arena.test", "INFO", "all well")
    assert second.getMessage().startswith("caught\nTraceback")
    assert second.getMessage().endswith("ValueError: trouble")
    assert {record.processName for record in caplog.records} == {WORKER}
    assert [record.created for record in caplog.records] == [record.created for record in records]


def test_records_of_other_threads_are_left_out() -> None:
    with collect_records(logging.INFO, WORKER) as records:
        thread = threading.Thread(target=log.warning, args=("of another run",))
        thread.start()
        thread.join()
    assert records == []


def test_records_above_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "MAX_RECORDS", 2)
    with collect_records(logging.INFO, WORKER) as records:
        for number in range(5):
            log.info("line %d", number)
    assert [record.getMessage() for record in records] == ["line 0", "line 1", "3 more lines were logged"]
    assert records[-1].processName == WORKER


def test_the_root_level_is_restored() -> None:
    before = logging.getLogger().level
    with collect_records(logging.DEBUG, WORKER):
        pass
    assert logging.getLogger().level == before
