"""Ctrl-C while a run starts: no traceback, and the run can be resumed to the same results."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = (
    *("run", "--bot", "greedy", "--bot", "random", "--variant", "lives", "--players", "2", "--blocks", "40"),
    *("--jobs", "2", "--seed", "the same", "--out"),
)


def start(*words: str) -> subprocess.Popen[str]:
    """Start a command in a process group of its own, as a terminal would."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True,
    )  # fmt: skip


def count_children(process: subprocess.Popen[str]) -> int:
    return len(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    with start(*RUN, str(folder)) as process:
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    return (folder / "matches.csv").read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("times", "children"), [*[pytest.param(times, 1, marks=pytest.mark.full) for times in (1, 2)], (2, 2)]
)
def test_ctrl_c_while_workers_start_is_no_traceback_and_loses_nothing(
    children: int, times: int, tmp_path: Path, undisturbed: bytes
) -> None:
    folder = tmp_path / "run"
    with start(*RUN, str(folder)) as process:
        while process.poll() is None and count_children(process) < children:
            os.sched_yield()
        for _ in range(times):
            os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate()
    assert "Traceback" not in errors
    assert process.returncode in (1, -signal.SIGINT), errors
    with start("resume", str(folder)) as resumed:
        _, errors = resumed.communicate()
    assert resumed.returncode == 0, errors
    assert (folder / "matches.csv").read_bytes() == undisturbed


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("program", [["-m", "arena"], ["-c", "from arena.cli import main"]])
def test_ctrl_c_while_the_command_line_is_imported_ends_it_silently(
    program: list[str], tmp_path: Path
) -> None:
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    done = subprocess.run(
        [sys.executable, *program], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_importing_the_command_line_leaves_ctrl_c_to_the_program() -> None:
    code = "import signal, arena.cli; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_gives_up_blocks_of_a_bot_that_never_answers(jobs: str, tmp_path: Path) -> None:
    playing, bot, folder = tmp_path / "playing", tmp_path / "loop.py", tmp_path / "run"
    bot.write_text(
        "class Loop:\n    def act(self, view):\n"
        f"        open({str(playing)!r}, 'w').close()\n        while True:\n            pass\n"
    )
    words = ("run", str(bot), "greedy", "--isolation", "inline", "--keep-going", "--jobs", jobs)
    with start(*words, "--out", str(folder)) as process:
        while process.poll() is None and not playing.exists():
            os.sched_yield()
        os.killpg(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 1, errors
    assert "Traceback" not in errors
    assert f"resume with `arena resume {folder}`" in out


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
