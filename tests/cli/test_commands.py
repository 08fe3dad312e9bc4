"""Every command: its help, fast start, and one-line errors."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from arena import __version__
from arena.cli import COMMANDS as MAIN_COMMANDS
from arena.cli import LazyGroup, main
from tests.cli.conftest import Arena

README = Path(__file__).parents[2] / "README.md"


def commands(group: LazyGroup, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], click.Command]:
    """All commands by the words that call them, those of groups too."""
    by_path: dict[tuple[str, ...], click.Command] = {}
    for name in group.summaries:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        by_path[*path, name] = command
        if isinstance(command, LazyGroup):
            by_path |= commands(command, (*path, name))
    return by_path


assert isinstance(main, LazyGroup)
COMMANDS = commands(main)
every_command = pytest.mark.parametrize("words", COMMANDS, ids=" ".join)


def test_every_option_for_a_game_is_taken_under_both_names() -> None:
    options = [
        (command, option)
        for command in COMMANDS.values()
        for option in command.params
        if isinstance(option, click.Option) and {"--game", "--variant"} & {*option.opts}
    ]
    assert len(options) >= 15
    for command, option in options:
        context = click.Context(command)
        shown = option.get_help_record(context) or ("",)
        assert (shown[0].split()[0].rstrip(","), "--variant" in shown[0]) == ("--game", False)
        if not option.is_flag:  # `arena new --game` creates one
            given, _, _ = command.make_parser(context).parse_args(["--variant", "cuccu"])
            assert given[option.name] in ("cuccu", ["cuccu"])


def test_no_command_prints_a_welcome(arena: Arena) -> None:
    result = arena()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("The arena for Commerce: bots play Commerce")
    shown = [line.split()[1] for line in result.stdout.splitlines() if line.startswith("  arena")]
    assert shown == ["run", "variants", "bots"]


def test_help_lists_every_command_with_its_summary(arena: Arena) -> None:
    result = arena("--help")
    lines = [line.split(maxsplit=1) for line in result.stdout.splitlines()]
    commands = {name: summary for part in MAIN_COMMANDS.values() for name, (_, summary) in part.items()}
    shown = [line for line in lines if line and line[0] in commands]
    assert [name for name, _ in shown] == list(commands)
    assert all(commands[name].startswith(summary) for name, summary in shown)  # a long one is wrapped
    headings = [line.rstrip(":") for line in result.stdout.splitlines() if line.endswith(":")]
    assert headings[-len(MAIN_COMMANDS) :] == list(MAIN_COMMANDS)


@every_command
def test_summary_is_the_first_line_of_the_help(words: tuple[str, ...]) -> None:
    group = main if len(words) == 1 else COMMANDS[words[:-1]]
    assert isinstance(group, LazyGroup)
    assert (COMMANDS[words].help or "").partition("\n\n")[0] == group.summaries[words[-1]]


@every_command
def test_help_ends_with_an_example_and_the_next_command(arena: Arena, words: tuple[str, ...]) -> None:
    result = arena(*words, "--help")
    assert result.exit_code == 0
    *_, example, following = result.stdout.splitlines()
    assert example.startswith(f"  Example: arena {' '.join(words)}")
    label, program, *call = shlex.split(following)
    assert (label, program) == ("Next:", "arena")
    command = COMMANDS[tuple(call[:2])] if tuple(call[:2]) in COMMANDS else COMMANDS[call[0],]
    known = {name for param in command.params for name in param.opts}
    assert {word for word in call if word.startswith("--")} <= known


@every_command
def test_readme_names_every_command(words: tuple[str, ...]) -> None:
    readme = README.read_text(encoding="utf-8")
    lines = [line for line in readme.splitlines() if f"arena {words[0]}" in line]
    assert any(word_in(words[-1], line) for line in lines)


def word_in(word: str, line: str) -> bool:
    return word in line.replace("\\|", " ").replace("`", " ").split()


@pytest.mark.parametrize("args", [["--help"], [], ["--version"]], ids=" ".join)
def test_help_imports_no_heavy_modules(args: list[str]) -> None:
    heavy = "{'numpy', 'scipy', 'msgspec', 'tabulate', 'tqdm', 'zstandard', 'arena.games', 'arena.play'}"
    code = f"""
import sys
from arena.cli import main
try:
    main({args})
except SystemExit as end:
    assert end.code in (0, None), end.code
print(sorted({heavy} & set(sys.modules)))
"""
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert output.splitlines()[-1] == "[]"


def test_a_run_starts_without_modules_that_it_may_not_need() -> None:
    code = "import sys, arena.cli.run; print(sorted({'asyncio', 'packaging', 'scipy'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_python_m_arena_runs_the_same_program() -> None:
    output = subprocess.check_output([sys.executable, "-m", "arena", "--version"], text=True)
    assert output == f"arena {__version__}\n"


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_a_command_computes_in_one_thread() -> None:
    code = (
        "import arena.cli, os, sys; assert 'numpy' not in sys.modules; import numpy as np; "
        "np.linalg.solve(np.eye(600), np.ones(600)); print(len(os.listdir('/proc/self/task')))"
    )
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=env)
    assert done.stdout.split() == [b"1"]
