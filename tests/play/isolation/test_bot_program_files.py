"""Bots find the rule book and their own folder, and nothing else."""

import json
import shutil
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import PluginError
from arena.play import Limits
from arena.play.bot_processes import make_launch_spec
from arena.play.isolation import Level, Program, start, stop
from arena.play.isolation.program_files import libraries
from arena.plugins import parse_bot

STRANGER = Path(__file__).with_name("stranger")


def told(
    level: Level, *arguments: str, home: Path = STRANGER, installed: bool = False, built_in: bool = False
) -> dict[str, Any]:
    program = Program(
        home=home, module="importer", arguments=arguments, installed=installed, built_in=built_in
    )
    return answer(level, program)


def answer(level: Level, program: Program) -> dict[str, Any]:
    process = start(level, program, Limits())
    try:
        out, err = process.communicate(timeout=60)
    finally:
        stop(process)
    assert process.returncode == 0, err.decode()
    fields: dict[str, Any] = json.loads(out)
    return fields


def test_untrusted_bot_imports_the_arena_and_its_own_folder(level: Level) -> None:
    names = ("arena.games", "arena.play.bot", "msgspec", "intruder", "json", "random")
    assert told(level, *names) == dict.fromkeys(names, True)


def test_untrusted_bot_imports_nothing_else(level: Level) -> None:
    names = ("numpy", "scipy", "tqdm", "click", "bots", "pytest", "tests", "typing_extensions")
    assert told(level, *names) == dict.fromkeys(names, False)


def test_built_in_bot_imports_its_package_and_no_other(level: Level) -> None:
    ours, others = ("arena.games", "msgspec", "bots.plain"), ("numpy", "click", "typing_extensions")
    assert told(level, *ours, *others, built_in=True) == dict.fromkeys(ours, True) | dict.fromkeys(
        others, False
    )


def test_installed_bot_imports_the_environment(level: Level) -> None:
    names = ("arena.games", "msgspec", "bots.plain", "numpy")
    assert told(level, *names, installed=True) == dict.fromkeys(names, True)


@pytest.mark.parametrize("command", [(), ("python3", "-I", "busy.py")], ids=["host", "command"])
def test_ordinary_bot_works_at_every_level(level: Level, command: tuple[str, ...]) -> None:
    process = start(level, Program(home=STRANGER, module="busy", command=command), Limits(memory_mb=128))
    out, err = process.communicate(timeout=60)
    stop(process)
    assert (out, err, process.returncode) == (b"well\n", b"", 0)


def test_sandbox_hides_other_bots_and_packages(sandbox: Level) -> None:
    beside = str(Path(msgspec.__file__).parents[1] / "pytest")
    system = f"{sysconfig.get_path('stdlib')}/site-packages"
    places = [beside, system, __file__, "/usr/bin/env", "/proc/1", "/dev/zero"]
    assert told(sandbox, *places) == dict.fromkeys(places, False)


def test_sandbox_shows_a_class_only_the_libraries_that_python_needs(sandbox: Level) -> None:
    needed = {path.name for path in libraries(Program())}
    folder = next(path.parent for path in libraries(Program()) if path.name == "libc.so.6")
    others = [str(path) for path in folder.glob("*.so*") if path.is_file() and path.name not in needed]
    assert told(sandbox, *others) == dict.fromkeys(others, False)
    modules = ("ctypes", "hashlib", "ssl", "sqlite3", "lzma", "zlib", "decimal", "asyncio")
    present = [name for name in modules if find_spec(name)]
    assert told(sandbox, *present) == dict.fromkeys(present, True)


def test_single_file_bot_sees_only_its_file(level: Level, tmp_path: Path) -> None:
    file, beside = tmp_path / "importer.py", tmp_path / "beside.py"
    shutil.copy(STRANGER / "importer.py", file)
    beside.write_text("secret = 1\n")
    imported = answer(
        level, Program(home=file, command=("python3", "-I", "importer.py", str(file), str(beside)))
    )
    assert imported[str(file)]
    if level != "process":
        assert not imported[str(beside)]


def test_line_break_in_a_folder_name_opens_no_other_folder(closed_level: Level, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(STRANGER, other)
    home = Path(f"{tmp_path}/mine\n{other}")
    shutil.copytree(STRANGER, home)
    told_of = told(closed_level, str(home / "importer.py"), str(other / "importer.py"), home=home)
    assert told_of == {str(home / "importer.py"): True, str(other / "importer.py"): False}


def test_closed_folder_is_readable_only_for_its_bot(level: Level, tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other's"
    for folder in (mine, other):
        shutil.copytree(STRANGER, folder)
    tmp_path.chmod(0o700)
    mine.chmod(0o700)
    (mine / "importer.py").chmod(0o600)
    imported = told(level, str(mine / "importer.py"), str(other / "importer.py"), home=mine)
    assert imported[str(mine / "importer.py")]
    if level != "process":
        assert not imported[str(other / "importer.py")]
    assert mine.stat().st_mode & 0o777 == 0o700


LOOK = """\
import json
found = {}
for name in ("deep/data", "deep/.data", ".data", "__pycache__/data", "deep/code.py"):
    try:
        found[name] = open(name).read()
    except OSError:
        found[name] = None
print(json.dumps(found))
"""


def test_bot_cannot_read_what_is_not_part_of_it(closed_level: Level, tmp_path: Path) -> None:
    """Files that are not hashed would let two bots play under one identity."""
    folder = tmp_path / "bot"
    for name in ("deep/data", "deep/.data", ".data", "__pycache__/data", "deep/code.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("here")
    (folder / "look.py").write_text(LOOK)
    (folder / "bot.toml").write_text('name = "look"\ncommand = ["python3", "-I", "look.py"]\n')
    program = make_launch_spec(parse_bot("./bot", tmp_path), closed_level).program
    hidden = dict.fromkeys(("deep/.data", ".data", "__pycache__/data"), None)
    assert answer(closed_level, program) == {"deep/data": "here", "deep/code.py": "here", **hidden}


def test_class_of_a_folder_with_hidden_files_imports_its_neighbours(
    closed_level: Level, tmp_path: Path
) -> None:
    folder = tmp_path / "bot"
    shutil.copytree(STRANGER, folder)
    (folder / ".git").mkdir()
    (folder / "bot.toml").write_text('name = "look"\nclass = "importer.py:Any"\n')
    program = make_launch_spec(parse_bot("./bot", tmp_path), closed_level).program
    importer = msgspec.structs.replace(program, module="importer", arguments=("intruder", "arena.games"))
    assert answer(closed_level, importer) == {"intruder": True, "arena.games": True}


def test_file_or_folder_replaced_by_a_link_is_not_shown(level: Level, tmp_path: Path) -> None:
    home, secret = tmp_path / "home", tmp_path / "secret"
    secret.mkdir()
    home.mkdir()
    (home / "sub").symlink_to(secret)
    for program in (Program(home=home, parts=(home / "sub",)), Program(home=home / "sub")):
        with pytest.raises(PluginError, match="was replaced by a link"):
            start(level, program, Limits())
