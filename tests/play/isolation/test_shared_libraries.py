"""Libraries are found by the lists in ELF files, whatever those hold."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from arena.play.isolation.program_files import find_libraries, needed_names


def test_libraries_are_those_that_the_loader_maps() -> None:
    if (lister := shutil.which("ldd")) is None:
        pytest.skip("there is no program ldd here")
    python = Path(sys.executable).resolve()
    listed = subprocess.run([lister, str(python)], capture_output=True, text=True, check=True).stdout
    mapped = {line.split("=>")[1].split()[0] for line in listed.splitlines() if "=> /" in line}
    libraries = {path.resolve() for path in find_libraries([python], [f"{sys.base_prefix}/lib"])}
    assert {Path(path).resolve() for path in mapped} <= libraries


def test_libraries_of_libraries_are_found(tmp_path: Path) -> None:
    if (compiler := shutil.which("cc")) is None:
        pytest.skip("there is no C compiler here")
    source = tmp_path / "empty.c"
    source.write_text("int unused;\n")
    build = [compiler, "-shared", "-nostdlib", "-Wl,--no-as-needed", str(source)]
    subprocess.run([*build, "-o", str(tmp_path / "libinner.so")], check=True)
    subprocess.run([*build, "-L", str(tmp_path), "-linner", "-o", str(tmp_path / "libouter.so")], check=True)
    outer = tmp_path / "libouter.so"
    assert "libinner.so" in needed_names(outer)
    assert tmp_path / "libinner.so" in find_libraries([outer], [str(tmp_path)])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x7fELF\x02\x01",
        b"\x7fELF\x02\x01" + b"\xff" * 200,
        b"\x7fELF\x02\x01" + bytes(26) + struct.pack("<Q", 1 << 62) + bytes(14) + struct.pack("<HH", 56, 9),
    ],
    ids=["empty", "short", "ones", "far"],
)
def test_damaged_file_needs_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "damaged.so"
    file.write_bytes(content)
    assert needed_names(file) == []


def test_paths_are_no_names_of_libraries(tmp_path: Path) -> None:
    """A bot may bring a file that asks for `/etc/shadow`."""
    strings = b"\0/etc/shadow\0../../../etc/shadow\0libc.so.6\0"
    names = [place + 1 for place, sign in enumerate(strings[:-1]) if sign == 0]
    entries = [(5, 232), *((1, name) for name in names), (0, 0)]
    dynamic = b"".join(struct.pack("<qQ", *entry) for entry in entries)
    segments = struct.pack("<IIQQQQQQ", 1, 4, 0, 0, 0, 400, 400, 8)
    segments += struct.pack("<IIQQQQQQ", 2, 4, 300, 300, 0, len(dynamic), len(dynamic), 8)
    header = b"\x7fELF\x02\x01".ljust(32, b"\0") + struct.pack("<Q", 64) + bytes(14)
    header += struct.pack("<HH", 56, 2) + bytes(6)
    file = tmp_path / "stranger.so"
    file.write_bytes((header + segments).ljust(232, b"\0") + strings.ljust(68, b"\0") + dynamic)
    assert needed_names(file) == ["libc.so.6"]


def test_pipe_needs_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.so")
    assert needed_names(tmp_path / "pipe.so") == []
