"""Every log line of every process comes out whole and once: in the file, and above the bar on a terminal."""

import fcntl
import io
import logging
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections import Counter
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.tournament.engine.logs import FILE_ONLY, MAX_BOT_LINES, RelayHandler, RunLogFile, run_logging

ROOT = Path(__file__).parents[3]
BLOCKS = 200
LINE = re.compile(r"<\d+:\d x{150}>")
EXCEPTION = re.compile(
    r".*ERROR.*caught\nTraceback \(most recent call last\):\n(?:  .*\n)+ValueError: trouble over (\d+)\n"
)


def run_on_a_terminal(folder: Path, start: str) -> str:
    """Return the terminal output of a run whose workers log a lot."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 250, 0, 0))
    options = ["--start", start, "--play=play_and_log", f"--blocks={BLOCKS}"]
    command = [sys.executable, "-m", "tests.tournament.pool_run", str(folder), *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        written = bytearray()
        while piece := read(ours):
            written += piece
    os.close(ours)
    assert process.returncode == 0, written
    return screen(written.decode())


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody writes to it any more
        return b""


def screen(written: str) -> str:
    """Return the readable text: in each line, what came after the last return to its beginning."""
    lines = [line.rpartition("\r")[2] for line in written.split("\r\n")]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "start", [*(pytest.param(start, marks=pytest.mark.full) for start in ("fork", "spawn")), "forkserver"]
)
def test_thousands_of_lines_arrive_whole_and_once(start: str, tmp_path: Path) -> None:
    shown = run_on_a_terminal(tmp_path, start)
    kept = (tmp_path / "arena.log").read_text()
    expected = Counter(f"<{block}:{line} {'x' * 150}>" for block in range(BLOCKS) for line in range(10))
    troubles = {str(block) for block in range(0, BLOCKS, 10)}
    for text in (shown, kept):
        assert Counter(LINE.findall(text)) == expected
        assert sorted(EXCEPTION.findall(text)) == sorted(troubles)
        others = EXCEPTION.sub("", text).splitlines()
        assert len([line for line in others if not LINE.search(line)]) == (1 if text is shown else 0)
    assert all(line.startswith("INFO: <") for line in shown.splitlines() if LINE.search(line))
    assert shown.splitlines()[-1].startswith("100%|")  # the bar, below it all


def test_a_log_is_added_to_and_the_logging_left_as_it_was(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = list(root.handlers), root.level
    for word in ("first", "second"):
        with run_logging(tmp_path / "arena.log"):
            logging.getLogger("arena").info("the %s time", word)
    assert (list(root.handlers), root.level) == before
    first, second = (tmp_path / "arena.log").read_text().splitlines()
    assert first.endswith("INFO MainProcess arena: the first time")
    assert second.endswith("INFO MainProcess arena: the second time")


@pytest.mark.parametrize(
    ("level", "shown", "kept"),
    [
        (logging.WARNING, ["warning"], ["info", "warning"]),
        (logging.INFO, ["info", "warning"], ["info", "warning"]),
        (logging.DEBUG, ["debug", "info", "warning"], ["debug", "info", "warning"]),
    ],
)
def test_the_level_is_of_what_is_shown_and_the_file_has_no_less_than_usual(
    level: int, shown: list[str], kept: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = logging.getLogger("arena")
    with run_logging(tmp_path / "arena.log", level):
        ours.debug("debug")
        ours.info("info")
        ours.info("for the file", extra=FILE_ONLY)
        ours.warning("warning")
    assert [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()] == shown
    lines = [line.rpartition(": ")[2] for line in (tmp_path / "arena.log").read_text().splitlines()]
    assert [line for line in lines if line != "for the file"] == kept
    assert lines.count("for the file") == 1


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            StoreError("the disk is full"),
            "ERROR MainProcess arena.tournament.engine.logs: ended: the disk is full",
        ),
        (KeyboardInterrupt(), "ended at once by a second signal"),
        (RuntimeError("a bug"), "Traceback (most recent call last):"),
    ],
)
def test_the_log_says_what_ended_a_run(error: BaseException, told: str, tmp_path: Path) -> None:
    with pytest.raises(type(error)), run_logging(tmp_path / "arena.log"):
        raise error
    assert told in (tmp_path / "arena.log").read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_log_without_room_is_said_once_and_stops_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with run_logging(Path("/dev/full")):
        for line in range(3):
            logging.getLogger("arena").info("%d", line)
    errors = capsys.readouterr().err
    assert errors.count("/dev/full cannot be written: ") == 1
    assert "Traceback" not in errors


def test_a_handler_gets_from_workers_what_it_gets_here() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setLevel(logging.WARNING)
    for level in (logging.INFO, logging.ERROR):
        RelayHandler(handler).emit(logging.LogRecord("bot", level, "file", 1, "%s", (level,), None))
    assert stream.getvalue() == f"{logging.ERROR}\n"


def test_a_failure_is_logged_once(tmp_path: Path) -> None:
    players = logging.getLogger("arena.play.players")
    with run_logging(tmp_path / "arena.log"):
        for deal in range(100):
            players.warning("bad, deal %d: crash", deal, extra={"bot": "bad", "failure": "crash"})
        players.warning("bad, deal 0: illegal", extra={"bot": "bad", "failure": "illegal"})
    assert len((tmp_path / "arena.log").read_text().splitlines()) == 2


def test_a_bot_that_fails_without_end_does_not_fill_the_log(tmp_path: Path) -> None:
    said = logging.getLogger("arena.play.players")
    with run_logging(tmp_path / "arena.log"):
        for bot in ("bad", "worse"):
            for number in range(1000):
                said.warning("%s: %s", bot, chr(0x4E00 + number), extra={"bot": bot})
        said.warning("what is about no bot")
    *lines, last = (tmp_path / "arena.log").read_text().splitlines()
    assert sum("bad: " in line for line in lines) == sum("worse: " in line for line in lines) == MAX_BOT_LINES
    assert [line for line in lines if "no more lines about worse" in line]
    assert "what is about no bot" in last
    assert not said.filters


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_log_is_not_written_through_a_link_or_a_pipe(tmp_path: Path, kind: str) -> None:
    path, other = tmp_path / "arena.log", tmp_path / "other"
    other.write_text("mine")
    path.symlink_to(other) if kind == "link" else os.mkfifo(path)
    with pytest.raises(OSError, match=r"arena\.log"):
        RunLogFile(path)
    assert other.read_text() == "mine"
