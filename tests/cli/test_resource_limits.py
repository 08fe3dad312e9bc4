"""Small limits of address space, and Ctrl-C at bad moments, end in one line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import MIN_ADDRESS_SPACE_MB

ROOT = Path(__file__).parents[2]
RUN = ("run", "--bot", "greedy", "--bot", "random", "--variant", "lives", "--players", "2", "--blocks", "2")


def call_limited(megabytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command with so much address space."""
    limit = megabytes << 20
    script = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({limit}, resource.RLIM_INFINITY))\n"
        "from arena.cli import main; main()"
    )
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("megabytes", [100, 250, 300, 600, MIN_ADDRESS_SPACE_MB - 1])
def test_small_address_space_is_refused_in_a_line(megabytes: int, tmp_path: Path) -> None:
    done = call_limited(megabytes, *RUN, "--out", str(tmp_path / "run"))
    assert done.returncode == 1
    assert done.stderr == (
        f"arena: programs may use only {megabytes} MB of address space here, and this needs "
        f"{MIN_ADDRESS_SPACE_MB} MB: run `ulimit -v unlimited` first\n"
    )
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("jobs", "isolation"),
    [
        pytest.param("1", "inline", marks=pytest.mark.full),
        pytest.param("1", "process", marks=pytest.mark.full),
        pytest.param("2", "inline", marks=pytest.mark.full),
        ("2", "sandbox"),
    ],
)
def test_least_address_space_suffices_for_a_small_run(jobs: str, isolation: str, tmp_path: Path) -> None:
    options = ("--out", str(tmp_path / "run"), "--jobs", jobs, "--isolation", isolation)
    done = call_limited(MIN_ADDRESS_SPACE_MB, *RUN, *options)
    if "is not available here" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_small_commands_need_little_address_space() -> None:
    done = call_limited(200, "hand", "lives", "AH KH JH")
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_while_python_shuts_down_is_no_traceback() -> None:
    script = (
        "import atexit, os, signal\n"
        "atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))\n"
        "from arena.cli import main; main()"
    )
    command = [sys.executable, "-c", script, "hand", "lives", "AH KH JH"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
    assert "flush" in done.stdout


def find_tracker(parent: int) -> int:
    """Wait for the resource tracker of a process, and return its process id."""
    while True:
        for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            if b"resource_tracker" in Path(f"/proc/{pid}/cmdline").read_bytes():
                return int(pid)


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_tracker_of_semaphores_changes_nothing(tmp_path: Path) -> None:
    options = ("--jobs", "2", "--seed", "the same", "--quiet", "--out")
    many = [word if word != "2" or RUN[place - 1] != "--blocks" else "24" for place, word in enumerate(RUN)]
    command = [sys.executable, "-m", "arena", *many, *options]
    undisturbed = subprocess.run([*command, str(tmp_path / "one")], cwd=ROOT, capture_output=True, check=True)
    with subprocess.Popen(
        [*command, str(tmp_path / "two")], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as disturbed:
        os.kill(find_tracker(disturbed.pid), signal.SIGKILL)
        _, errors = disturbed.communicate()
    assert disturbed.returncode == 0
    assert errors.splitlines() == undisturbed.stderr.decode().replace("/one", "/two").splitlines()
    for name in ("elo.csv", "matches.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
