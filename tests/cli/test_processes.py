"""Commands in processes of their own: Ctrl-C, odd file names, few file descriptors, bots that survive."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.play.isolation import Level, probe
from arena.tournament.setup.config import make_config
from tests.cli.conftest import Arena
from tests.play.isolation.processes import find_processes

RUN = (
    *("run", "greedy", "random", "--variant", "lives", "--players", "2", "--blocks", "40"),
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
@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.full), "2"])
def test_ctrl_c_gives_up_blocks_of_a_bot_that_never_answers(jobs: str, tmp_path: Path) -> None:
    playing, bot, folder = tmp_path / "playing", tmp_path / "loop.py", tmp_path / "run"
    bot.write_text(
        "class Loop:\n    def act(self, view):\n"
        f"        open({str(playing)!r}, 'w').close()\n        while True:\n            pass\n"
    )
    words = ("run", str(bot), "greedy", "--isolation", "inline", "--on-fault", "keep", "--jobs", jobs)
    with start(*words, "--out", str(folder)) as process:
        while process.poll() is None and not playing.exists():
            os.sched_yield()
        os.killpg(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 1, errors
    assert "Traceback" not in errors
    assert f"resume with `arena resume {folder} --isolation inline`" in out


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


BOT = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
ROOT = Path(__file__).parents[2]


def run_arena(folder: bytes, *words: bytes) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, in a process of its own, which gets the bytes as they are."""
    call = [sys.executable.encode(), b"-m", b"arena", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    return subprocess.run(call, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "words",
    [
        (b"run", b"\xff.py:Mine", b"--blocks", b"1"),
        (b"run", b"--blocks", b"1", b"--out", b"\xff"),
        (b"table", b"\xff"),
        (b"check", b"\xff.py:Mine"),
        (b"submit", b"\xff.py:Mine"),
        (b"replay", b"verify", b"\xff.py"),
    ],
    ids=lambda words: b" ".join(words).decode(errors="backslashreplace"),
)
def test_argument_that_is_not_utf8_is_refused(tmp_path: Path, words: tuple[bytes, ...]) -> None:
    folder = os.fsencode(tmp_path)
    Path(os.fsdecode(folder + b"/\xff.py")).write_text(BOT)
    done = run_arena(folder, *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "a file name that ends in '\\udcff' is not UTF-8: rename" in done.stderr
    assert len(os.listdir(folder)) == 1


@pytest.mark.parametrize(
    "words",
    [
        pytest.param((b"run", b"--blocks", b"1"), marks=pytest.mark.full),
        pytest.param((b"bots",), marks=pytest.mark.full),
        (b"run", b"mine.py:Mine"),
    ],
)
def test_command_in_a_folder_that_is_not_utf8(tmp_path: Path, words: tuple[bytes, ...]) -> None:
    folder = os.fsencode(tmp_path) + b"/\xff"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(folder + b"/mine.py")).write_text(BOT)
    done = run_arena(folder, *words)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or "is not UTF-8: rename" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["a\x1b[31m", "a\r", "a\nb", "a\x9b31m", "a\u202eb"], ids=ascii)
def test_name_that_steers_the_terminal_is_refused(arena: Arena, here: Path, name: str) -> None:
    """A folder of somebody else may have it, and the shell completes it."""
    refused = arena("run", "--blocks", "1", "--out", f"results/{name}")
    assert refused.exit_code == 2
    assert "has control characters: rename the file or folder" in refused.stderr
    (here / "results" / name).mkdir(parents=True)
    (here / "results" / name / "arena.db").touch()
    latest = arena("table")
    assert latest.exit_code == 2
    assert "has control characters: rename it" in latest.stderr
    assert name not in refused.output + latest.output


def test_name_in_any_language_is_accepted(arena: Arena, tmp_path: Path) -> None:
    folder = tmp_path / "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u00a0\U0001f3b4"
    assert arena("run", "-q", "--blocks", "1", "--jobs", "1", "--out", folder).exit_code == 0


@pytest.mark.parametrize("bot", ["g" * 300, {"bot": "greedy", "name": "é" * 128}])
def test_a_bot_s_name_of_more_than_255_bytes_is_a_config_error(bot: object) -> None:
    table = {"bots": [bot, "random"], "variants": [{"name": "lives", "players": 2}]}
    with pytest.raises(ConfigError, match="255 bytes"):
        make_config(table, base=Path(), where="the test")


def test_too_few_file_descriptors_name_the_remedy(tmp_path: Path) -> None:
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (20, 4096))\n"
        "from arena.cli import main; main()"
    )
    call = ("run", "greedy", "random", "--players", "2", "--blocks", "2", "--jobs", "2")
    command = [sys.executable, "-c", script, *call, "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert (
        "Too many open files: close other programs, lower --jobs, or run `ulimit -n 4096` first"
        in done.stderr.splitlines()[-1]
    )


STRANGER = Path(__file__).parents[1] / "play/isolation/stranger/survivor.py"
SURVIVOR = """
class Survivor:
    def __init__(self):
        clear_death_signal()
        with suppress(OSError):
            fork_twice()

    def act(self, view):
        return view.legal[-1]
"""


@pytest.fixture
def survivor(tmp_path: Path) -> Iterator[Path]:
    """A bot's file that does what it can to survive; what survives the test is killed."""
    file = tmp_path / "survivor.py"
    file.write_text(
        STRANGER.read_text(encoding="utf-8").rpartition('if __name__ == "__main__"')[0] + SURVIVOR
    )
    yield file
    for pid in find_processes(str(file)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("command", "level"),
    [
        ("run", "sandbox"),
        ("check", "process"),
        *(pytest.param(*pair, marks=pytest.mark.full) for pair in (("run", "process"), ("check", "sandbox"))),
        *(pytest.param(command, "landlock", marks=pytest.mark.full) for command in ("run", "check")),
    ],
)
def test_nothing_survives_a_command(level: Level, command: str, survivor: Path, tmp_path: Path) -> None:
    if not (support := probe(level)).usable:
        pytest.skip(f"{level} is not usable here: {support.reason}")
    bot = f"{survivor}:Survivor"
    words = {
        "run": [bot, "greedy", "--blocks", "2", "--players", "2", "--jobs", "1"],
        "check": [bot],
    }[command]
    done = subprocess.run(
        [sys.executable, "-m", "arena", command, *words, "--variant", "lives", "--isolation", level],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert find_processes(str(survivor)) == []
