"""A launch spec shows a bot its own files and no others."""

from pathlib import Path

import pytest

from arena.errors import PluginError
from arena.play.bot_processes import make_launch_spec
from arena.play.isolation import Program
from arena.plugins import parse_bot


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    (tmp_path / "shark").mkdir()
    (tmp_path / "shark/bot.toml").write_text('name = "shark"\nclass = "bot.py:Shark"\n')
    (tmp_path / "shark/bot.py").write_text("class Shark: ...")
    (tmp_path / "eel").mkdir()
    (tmp_path / "eel/bot.toml").write_text('name = "eel"\ncommand = ["node", "bot.js"]\n')
    (tmp_path / "eel/bot.js").touch()
    return tmp_path.resolve()


def program(text: str, base: Path) -> Program:
    return make_launch_spec(parse_bot(text, base), "process").program


def test_a_class_is_run_by_the_python_host_and_a_command_as_it_is(bots: Path) -> None:
    file = f"{bots}/shark/bot.py"
    assert program("./shark", bots) == Program(home=bots / "shark", arguments=(f"{file}:Shark",))
    assert program("shark/bot.py:Shark", bots) == Program(home=Path(file), arguments=(f"{file}:Shark",))
    assert program("./eel", bots) == Program(home=bots / "eel", command=("node", "bot.js"))
    script = bots / "eel/bot.js"
    assert program("cmd:node eel/bot.js -v", bots) == Program(
        home=script, command=("node", str(script), "-v")
    )
    assert program("greedy", bots) == Program(arguments=("bots.plain:Greedy",), built_in=True)


def test_programs_of_the_system_are_no_files_of_a_bots_own(bots: Path) -> None:
    assert program("cmd:/bin/sh -c true", bots) == Program(command=("/bin/sh", "-c", "true"))


def test_files_in_one_folder_are_shown_with_it_and_others_are_refused(bots: Path) -> None:
    (bots / "eel/data").touch()
    assert program("cmd:node eel/bot.js eel/data", bots).home == bots / "eel"
    with pytest.raises(PluginError, match="names files that lie too far apart"):
        program(f"cmd:{bots}/eel/bot.js /etc/hostname", bots)


def test_a_bot_keeps_its_settings(bots: Path) -> None:
    assert make_launch_spec(parse_bot({"bot": "greedy", "depth": 3}, bots), "sandbox").settings == {
        "depth": 3
    }
