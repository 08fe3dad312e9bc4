"""`arena slurm`: its scripts are run by a stub of SLURM, and by SLURM itself where it is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Arena
from tests.cli.slurm_cluster import SlurmCluster, is_slurm_installed

FILES = ("run.toml", "matches.csv", "elo.csv", "elo.md", "replays.jsonl.zst", "report.html")
CONFIG = """\
seed = "any text"
bots = ["greedy", "random", "stand-pat"]
blocks = 4
[[variants]]
name = "lives"
players = 2
tokens = 1
"""
SBATCH = """\
#!/bin/sh
# Plays the tasks of an array one after another, and any other job at once; prints the job's number.
for script; do :; done
case "$script" in
*play.sbatch)
  for task in 1 2 3; do
    SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID="$task" SLURM_CPUS_PER_TASK=1 bash "$script" >&2 || exit 1
  done
  echo 7 ;;
*) echo "$@" >&2; SLURM_CPUS_PER_TASK=1 bash "$script" >&2 || exit 1 ;;
esac
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="SLURM is for Linux")


@pytest.fixture(autouse=True)
def folder(here: Path) -> None:
    """A folder with a config."""
    Path("cup.toml").write_text(CONFIG)


def is_merged(arena: Arena) -> bool:
    """Return whether the merged run has the files of the run played at once, which is played now."""
    assert arena("run", "cup.toml", "--jobs", "1", "--quiet", "--out", "whole").exit_code == 0
    return all(Path("job/merged", name).read_bytes() == Path("whole", name).read_bytes() for name in FILES)


def write(arena: Arena, *more: str) -> str:
    result = arena("slurm", "cup.toml", "--tasks", "3", "--time", "0:01", "--out", "job", *more)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def play_task(task: int, *arguments: str, job: int = 7) -> subprocess.CompletedProcess[str]:
    """Run the script of one task; `arguments` precede the script's path."""
    variables = {"SLURM_ARRAY_JOB_ID": str(job), "SLURM_ARRAY_TASK_ID": str(task)}
    command = ["bash", *arguments, "job/play.sbatch"]
    return subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True)


@pytest.mark.full
def test_scripts_play_and_merge_the_run(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "sh job/submit.sh" in write(arena)
    for name in ("random", "json", "typing", "runpy"):  # bots, perhaps: nothing imports them
        Path(f"{name}.py").write_text("raise SystemExit(9)\n")
    install_stub("sbatch", SBATCH, monkeypatch)
    submitted = subprocess.run(["sh", "job/submit.sh"], capture_output=True, text=True)
    assert submitted.returncode == 0, submitted.stderr
    assert "--dependency=afterok:7" in submitted.stderr
    again = subprocess.run(["bash", "job/merge.sbatch"], capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert is_merged(arena)


def install_stub(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("stubs").mkdir(exist_ok=True)
    Path("stubs", name).write_text(text)
    Path("stubs", name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{Path('stubs').absolute()}{os.pathsep}{os.environ['PATH']}")


def test_task_that_reached_its_limit_is_requeued_and_resumes(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(arena)
    script = Path("job/play.sbatch")
    script.write_text(
        script.read_text().replace("--time-limit 40", "--time-limit 0.000001").replace("-ge 40", "-ge 0")
    )
    install_stub("scontrol", '#!/bin/sh\necho "$@" > requeued\n', monkeypatch)
    assert play_task(2).returncode == 0
    assert Path("requeued").read_text() == "requeue 7_2\n"
    write_again = script.read_text().replace("--time-limit 0.000001", "")
    script.write_text(write_again)
    assert "Shard 2/3 is done" in play_task(2).stdout


def test_task_that_fails_is_not_requeued(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    write(arena)
    Path("cup.toml").write_text("bots = 3")
    install_stub("scontrol", '#!/bin/sh\necho "$@" > requeued\n', monkeypatch)
    assert play_task(1).returncode == 2
    assert not Path("requeued").exists()


def test_scripts_take_options_of_sbatch_and_seed(arena: Arena) -> None:
    Path("cup.toml").write_text(CONFIG.replace('seed = "any text"\n', ""))
    write(arena, "--seed", "it's", "--sbatch=--partition=short", "--cpus", "4")
    text = Path("job/play.sbatch").read_text()
    assert "#SBATCH --partition=short\n" in text
    assert "#SBATCH --cpus-per-task=4\n" in text
    assert "#SBATCH --time=00:01:00\n" in text
    assert """--seed 'it'"'"'s' """ in text
    assert Path("job/play.sbatch").stat().st_mode & 0o077 == 0


def test_adaptive_format_is_refused(arena: Arena) -> None:
    Path("cup.toml").write_text(f'format = "swiss"\n{CONFIG}')
    result = arena("slurm", "cup.toml", "--tasks", "3", "--time", "0:01")
    assert result.exit_code == 2
    assert "a swiss decides its blocks by the results of earlier ones" in result.stderr


@pytest.mark.parametrize("text", ["a b", "line\nbreak"])
def test_path_or_option_that_breaks_a_script_is_refused(arena: Arena, text: str) -> None:
    out = arena("slurm", "cup.toml", "--tasks", "3", "--time", "0:01", "--out", text)
    option = arena("slurm", "cup.toml", "--tasks", "3", "--time", "0:01", "--sbatch", text)
    assert out.exit_code == 2
    assert option.exit_code == (2 if "\n" in text else 0)


@pytest.mark.skipif(not is_slurm_installed(), reason="SLURM is not installed")
def test_slurm_plays_the_run(arena: Arena, tmp_path_factory: pytest.TempPathFactory) -> None:
    write(arena)
    with SlurmCluster(tmp_path_factory.mktemp("slurm")) as cluster:
        cluster.submit(Path("job/submit.sh"))
        cluster.wait()
    assert is_merged(arena), Path("job/logs/merge.log").read_text()
