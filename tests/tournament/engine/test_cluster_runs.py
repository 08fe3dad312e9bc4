"""Runs on a real scheduler and real workers: whatever happens to them, the same bytes come out."""

import logging
import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

import pytest

from arena import load_game
from arena.errors import ArenaError
from arena.tournament.engine.block_player import RunPlan
from arena.tournament.engine.dask import ClusterExecutor
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.run_bundle import build_bundle
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from tests.strangers.loading import GOLF, forget_games
from tests.tournament.engine.dask_cluster import DaskCluster
from tests.tournament.made_runs import make_run

pytestmark = pytest.mark.xdist_group("cluster")  # started once

pytest.importorskip("distributed", reason="the extra cluster is not installed")

FATEFUL = '''
"""Plays its last legal action; the first time it sits down where it may, it kills or freezes a process."""
import os, signal
from pathlib import Path

class Bot:
    def __init__(self, info):
        victim = Path(info.settings["victim"])
        try:
            victim.rename(victim.with_suffix(".done"))
        except FileNotFoundError:
            return
        pid = victim.with_suffix(".done").read_text()
        os.kill(int(pid or os.getpid()), getattr(signal, info.settings.get("signal", "SIGKILL")))

    def act(self, view):
        return view.legal[-1]
'''

MIND = """
def choose(self, view):
    return "nonsense" if len(view.events) == 4 and view.seat == 0 else view.legal[0]
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskCluster]:
    with DaskCluster() as cluster:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster


@pytest.fixture
def table(tmp_path: Path) -> dict[str, Any]:
    """A tournament of built-in bots, one in a file, one in a folder."""
    (tmp_path / "fateful.py").write_text(FATEFUL)
    (tmp_path / "lone").mkdir()
    (tmp_path / "lone" / "bot.toml").write_text('name = "lone"\nclass = "bot.py:Lone"\n')
    (tmp_path / "lone" / "bot.py").write_text("from mind import choose\n\nclass Lone:\n    act = choose\n")
    (tmp_path / "lone" / "mind.py").write_text(MIND)
    fateful = {"bot": "fateful.py:Bot", "name": "fateful", "victim": str(tmp_path / "victim")}
    return {
        "bots": ["greedy", "random", fateful, "lone"],
        "variants": [{"name": "lives", "players": 3, "tokens": 1}],
        "blocks": 25,
        "seed": "any text",
        "isolation": "inline",
    }


def begun(table: dict[str, Any], tmp_path: Path, name: str) -> Run:
    return make_run(tmp_path / name, **table)


def files(run: Run) -> list[bytes]:
    folder = run.folder
    return [path.read_bytes() for path in (folder.elo_csv, folder.matches, folder.replays)]


def undisturbed(table: dict[str, Any], tmp_path: Path) -> list[bytes]:
    """The files of the run of one process, where the fateful bot does nothing."""
    run = begun(table, tmp_path, "here")
    assert run.play(RunOptions()) == "done"
    return files(run)


def faults(run: Run) -> list[str]:
    """Return the failures of a bot in the log, without seat and deal: the first of a kind is logged."""
    lines = run.folder.log.read_text().splitlines()
    return sorted(
        line.partition("lone at seat")[2].partition(": ")[2] for line in lines if "lone at seat" in line
    )


def test_a_cluster_writes_the_same_bytes_as_one_process_and_keeps_nothing(
    cluster: DaskCluster, table: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "last.py").write_text(
        "class Last:\n    def act(self, view):\n        return view.legal[-1]\n"
    )
    table["bots"][2] = "last.py:Last"
    table |= {"isolation": "auto", "limits": {"decision_ms": 10_000, "start_ms": 60_000, "memory_mb": 64}}
    here, there = begun(table, tmp_path, "here"), begun(table, tmp_path, "there")
    assert here.play(RunOptions()) == there.play(RunOptions(cluster=Cluster.parse(cluster.address))) == "done"
    assert files(here) == files(there)
    assert set(faults(here)) & set(faults(there))
    assert cluster.leftovers == []


def test_a_game_in_a_file_is_sent_to_the_workers(
    cluster: DaskCluster, table: dict[str, Any], tmp_path: Path
) -> None:
    table |= {"variants": [{"name": str(GOLF), "players": 2, "deals": 1}], "blocks": 2, "isolation": "auto"}
    table["bots"] = ["greedy", "random"]
    with forget_games():
        load_game(str(GOLF))
        here, there = begun(table, tmp_path, "here"), begun(table, tmp_path, "there")
        assert here.play(RunOptions()) == "done"
        assert there.play(RunOptions(cluster=Cluster.parse(cluster.address))) == "done"
        assert files(here) == files(there)
    assert cluster.leftovers == []


def test_the_blocks_of_a_killed_worker_are_played_by_another(
    cluster: DaskCluster, table: dict[str, Any], tmp_path: Path
) -> None:
    expected = undisturbed(table, tmp_path)
    cluster.add_worker()
    (tmp_path / "victim").write_text("")
    run = begun(table, tmp_path, "there")
    assert run.play(RunOptions(cluster=Cluster.parse(cluster.address))) == "done"
    assert (tmp_path / "victim.done").exists()
    assert files(run) == expected
    assert run.folder.log.read_text().count("is gone; another worker plays its blocks") == 1


@pytest.mark.full
def test_the_blocks_of_a_frozen_worker_are_played_by_another(
    table: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.tournament.engine.dask.SILENCE_TIMEOUT_S", 2.0)
    expected = undisturbed(table, tmp_path)
    table["bots"][2]["signal"] = "SIGSTOP"
    (tmp_path / "victim").write_text("")
    run = begun(table, tmp_path, "there")
    with DaskCluster() as cluster:
        cluster.add_worker()
        cluster.add_worker()
        assert run.play(RunOptions(cluster=Cluster.parse(cluster.address))) == "done"
    assert (tmp_path / "victim.done").exists()
    assert files(run) == expected
    said = "has not answered for 2 s and is removed; another worker plays its blocks"
    assert run.folder.log.read_text().count(said) == capfd.readouterr().err.count(said) == 1


def test_a_run_that_lost_its_scheduler_says_so_and_is_gone_on_with(
    table: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.tournament.engine.dask.CONNECT_TIMEOUT_S", 2.0)
    expected = undisturbed(table, tmp_path)
    run = begun(table, tmp_path, "there")
    with DaskCluster() as cluster:
        cluster.add_worker()
        (tmp_path / "victim").write_text(str(cluster.scheduler.pid))
        with pytest.raises(ArenaError, match=f"no scheduler answers at {cluster.address}.*arena resume"):
            run.play(RunOptions(cluster=Cluster.parse(cluster.address)))
    assert (tmp_path / "victim.done").exists()
    assert "Traceback" not in capfd.readouterr().err
    assert not any(
        logging.getLogger(f"distributed.{module}").isEnabledFor(logging.ERROR)
        for module in ("client", "batched")
    )
    assert run.count_blocks() < 100
    assert run.play(RunOptions()) == "done"
    assert files(run) == expected


@pytest.mark.full
def test_a_cluster_of_one_worker_that_dies_is_waited_for(table: dict[str, Any], tmp_path: Path) -> None:
    expected = undisturbed(table, tmp_path)
    (tmp_path / "victim").write_text("")
    run = begun(table, tmp_path, "there")
    with DaskCluster() as cluster:
        cluster.add_worker(nanny=True)
        assert run.play(RunOptions(cluster=Cluster.parse(cluster.address))) == "done"
    assert (tmp_path / "victim.done").exists()
    assert files(run) == expected
    assert "chunks in flight are played again" in run.folder.log.read_text()


def test_a_worker_without_the_plug_in_is_refused_by_name(
    cluster: DaskCluster, table: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "homebody-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: homebody\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("[arena.bots]\nhomebody = homebody:Homebody\n")
    (tmp_path / "homebody.py").write_text(
        "class Homebody:\n    def act(self, view):\n        return view.legal[0]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    table["bots"].append("homebody")
    run = begun(table, tmp_path, "there")
    with pytest.raises(ArenaError, match=r"no worker at .* can play this run: .*no bot is called 'homebody'"):
        run.play(RunOptions(cluster=Cluster.parse(cluster.address)))


@pytest.mark.full
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_with_tls_nobody_joins_or_plays_who_has_no_certificate(
    table: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.tournament.engine.dask.CONNECT_TIMEOUT_S", 2.0)
    ours, theirs = certificate(tmp_path / "ours"), certificate(tmp_path / "theirs")
    expected = undisturbed(table, tmp_path)
    run = begun(table, tmp_path, "there")
    files_of_tls = ("--tls-ca-file", str(ours[0]), "--tls-cert", str(ours[1]), "--tls-key", str(ours[2]))
    with DaskCluster(files_of_tls, scheme="tls") as cluster:
        cluster.add_worker()
        for stranger in (
            Cluster.parse(cluster.address.replace("tls:", "tcp:")),
            Cluster.parse(cluster.address, *theirs),
        ):
            with pytest.raises(ArenaError, match="no scheduler answers at"):
                run.play(RunOptions(cluster=stranger))
        assert run.play(RunOptions(cluster=Cluster.parse(cluster.address, *ours))) == "done"
    assert files(run) == expected


def certificate(folder: Path) -> tuple[Path, Path, Path]:
    """Return a certificate authority, a certificate and its key, made as the page on clusters says."""
    folder.mkdir()
    page = (Path(__file__).parents[3] / "docs" / "cluster.md").read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if line.strip().startswith("openssl req")]
    subprocess.run(shlex.split(line), cwd=folder, check=True, capture_output=True)
    return folder / "cert.pem", folder / "cert.pem", folder / "key.pem"


pytest.importorskip("distributed", reason="the extra cluster is not installed")


@pytest.mark.full
def test_calls_left_without_a_worker_break_although_another_has_joined(tmp_path: Path) -> None:
    """The scheduler gives them to none that joins later, so a run would wait for them for ever."""
    config = make_config(
        {"bots": ["greedy", "random"], "variants": [{"name": "lives", "players": 2}]},
        base=tmp_path,
        where="a test",
    )
    bundle = build_bundle(RunPlan.from_config(config, "seed"), 1)
    with DaskCluster() as cluster:
        cluster.add_worker()
        with ClusterExecutor(Cluster.parse(cluster.address), bundle) as executor:
            second = cluster.add_worker()
            wait_for_workers(executor, 2)
            os.kill(second.pid, signal.SIGSTOP)
            executor._registry.refresh()  # asks the second, which cannot answer yet
            call = executor.submit(os._exit, 1)
            wait_for_workers(executor, 1)
            os.kill(second.pid, signal.SIGCONT)
            executor._registry.wait_for_answer(seconds=60)
            executor._checked_at = 0.0
            executor.check()
            with pytest.raises(BrokenExecutor, match="all workers that played are gone"):
                call.result(timeout=0)


def wait_for_workers(executor: ClusterExecutor, number: int) -> None:
    """Wait until the scheduler knows that many."""
    while len(executor._registry._present()) != number:
        time.sleep(0.02)
