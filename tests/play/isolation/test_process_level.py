"""The level `process`: a session of its own, resource limits, an empty environment."""

import os
import select
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import Popen

import pytest

from arena.errors import PluginError
from arena.play import Limits
from arena.play.isolation import Program, start, stop


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def shell(stack: ExitStack, script: str, home: Path, limits: Limits | None = None) -> Popen[bytes]:
    process = start("process", Program(command=("sh", "-c", script), home=home), limits or Limits())
    stack.callback(stop, process)
    return process


def test_process_has_three_pipes(stack: ExitStack, tmp_path: Path) -> None:
    process = shell(stack, "cat; echo done >&2", tmp_path)
    assert process.communicate(b"hello", timeout=10) == (b"hello", b"done\n")


def test_process_has_its_own_folder_descriptors_and_environment(
    stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "secret")
    file = (tmp_path / "ours").open("w")
    stack.enter_context(file)
    os.set_inheritable(file.fileno(), True)
    out, _ = shell(stack, "pwd; ls /proc/self/fd; env", tmp_path).communicate(timeout=10)
    where, *rest = out.decode().split()
    assert Path(where) == tmp_path
    assert rest[:4] == ["0", "1", "2", "3"]  # the fourth is the listing itself
    assert not rest[4].isdigit()
    assert "secret" not in out.decode()


def test_memory_is_limited(stack: ExitStack, tmp_path: Path) -> None:
    hungry = "import sys\ntry: bytearray(400 << 20)\nexcept MemoryError: sys.exit(7)"
    process = start(
        "process", Program(command=("python3", "-c", hungry), home=tmp_path), Limits(memory_mb=128)
    )
    stack.callback(stop, process)
    assert process.wait(timeout=10) == 7


def test_stop_kills_the_whole_group(stack: ExitStack, tmp_path: Path) -> None:
    process = shell(stack, "trap '' TERM; sleep 1000 & echo $!; wait", tmp_path)
    assert process.stdout is not None
    child = int(process.stdout.readline())
    watch = os.pidfd_open(child)
    stack.callback(os.close, watch)
    stop(process)
    assert process.returncode == -signal.SIGKILL
    assert select.select([watch], [], [], 10) == ([watch], [], [])  # ready to read: it has ended


def test_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match="no program python4 that may be run, looked for in /usr"):
        start("process", Program(command=("python4", "bot.py"), home=tmp_path), Limits())
    with pytest.raises(PluginError, match=r"no program \./bot .* from "):
        start("process", Program(command=("./bot",), home=tmp_path), Limits())


def test_inline_level_has_no_process(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="inline has no process"):
        start("inline", Program(command=("cat",), home=tmp_path), Limits())


def test_crash_leaves_no_core_file(stack: ExitStack, tmp_path: Path) -> None:
    process = shell(stack, "ulimit -c; kill -SEGV $$", tmp_path)
    out, _ = process.communicate(timeout=10)
    assert (out, process.returncode) == (b"0\n", -signal.SIGSEGV)  # in blocks; a byte is none
    assert list(tmp_path.iterdir()) == []
