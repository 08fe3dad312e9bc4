"""The documentation's examples run, its commands and options exist, and its links resolve."""

import ast
import csv
import importlib
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from arena.cli import COMMANDS, main
from arena.errors import MissingPackage
from arena.games import VARIANTS
from arena.league.settings import make_settings
from arena.plugins.manifest import parse_manifest
from arena.tournament.setup.config import make_config

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCUMENTS = [README, ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]

KERNEL = pytest.mark.xdist_group("kernel")  # where the step of lives is compiled already
COMPILING = ROOT / "docs/adapters.md"

each_document = pytest.mark.parametrize(
    "document",
    [pytest.param(file, marks=KERNEL) if file == COMPILING else file for file in DOCUMENTS],
    ids=lambda file: file.name,
)


def blocks(document: Path, *languages: str) -> Iterator[tuple[int, str]]:
    """Yield a document's code blocks in the given languages, each with its first line's number."""
    text = document.read_text(encoding="utf-8")
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        if match[1] in languages:
            yield text[: match.start(2)].count("\n") + 1, match[2]


def spans(document: Path) -> list[str]:
    """Return the inline code of a document's prose."""
    prose = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"`([^`]+)`", prose)


def command_lines(document: Path) -> list[str]:
    """Return the command lines in a document's blocks and prose."""
    typed = [line for _, block in blocks(document, "sh") for line in block.splitlines()]
    prompted = [line for _, block in blocks(document, "console") for line in block.splitlines()]
    return [*typed, *[line[2:] for line in prompted if line.startswith("$ ")], *spans(document)]


@pytest.mark.full
def test_the_tables_of_the_readme_are_those_of_its_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quick run, and the bot in ten lines in it: Elo and ± of each bot."""
    text = README.read_text(encoding="utf-8")
    [bot] = [code for _, code in blocks(README, "python") if code.startswith("# mine.py")]
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(bot, encoding="utf-8")
    for folder, command, expected in (
        ("quick", ["run", "--seed", "commerce"], r"^ +\d+ +(\S+) +(\d+\.\d) +(\d+\.\d)"),
        (
            "mine",
            ["run", "mine.py", "--blocks", "100", "--seed", "commerce"],
            r"^\| `(\S+)` \| (\S+) \| (\S+) \|$",
        ),
    ):
        assert f"arena {' '.join(command)}\n" in text
        result = CliRunner().invoke(main, [*command, "--out", folder])
        assert result.exit_code == 0, result.output
        rows = re.findall(r"^ +\d+ +(\S+) +(\d+\.\d) +(\d+\.\d)", result.output, re.MULTILINE)
        printed = re.findall(expected, text, re.MULTILINE)
        assert printed
        assert set(printed) <= set(rows)


@each_document
def test_the_python_examples_of_a_document_run(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": document.stem}
    for line, code in blocks(document, "python"):
        tree = ast.increment_lineno(ast.parse(code, str(document)), line - 1)
        try:
            exec(compile(tree, str(document), "exec"), namespace)
        except MissingPackage as error:
            pytest.skip(str(error))
        except ModuleNotFoundError as error:
            if (error.name or "arena").partition(".")[0] in ("arena", "bots"):
                raise
            pytest.skip(f"{error.name} is not installed")


@each_document
def test_the_toml_examples_of_a_document_are_valid(document: Path) -> None:
    for line, text in blocks(document, "toml"):
        table = tomllib.loads(text)
        if {"class", "command"} & set(table):
            parse_manifest(table)
        elif "variants" in table and "bots" not in table:
            make_settings(table, f"{document.name}, line {line}")
        elif "variants" in table:
            make_config(table, base=ROOT, where=f"{document.name}, line {line}")


@each_document
def test_the_commands_in_a_document_exist_with_their_options(document: Path) -> None:
    for line in command_lines(document):
        program, *words = line.partition(" #")[0].split() or [""]
        if Path(program).name == "arena":
            check_call(words)
        elif program == "make":
            check_targets(words)
        elif program == "nice" and "-m" in words:
            check_benchmark(words[words.index("-m") :])
        elif Path(program).name == "python":
            check_benchmark(words)


def check_benchmark(words: list[str]) -> None:
    """Check that a measurement called as a module exists with its options; other calls are not checked."""
    option, name, *words = [*words, "", ""]
    if option != "-m" or not name.startswith("benchmarks."):
        return
    command = getattr(importlib.import_module(name), "main", None)
    if isinstance(command, click.Command):
        known = {"--help"}.union(*[option.opts for option in command.params])
        unknown = {word for word in words if word.startswith("--")} - known
        assert not unknown, f"{name} has no such option"


def test_the_figures_of_performance_have_commands_that_parse() -> None:
    """Each section of the figures names a command of the arena, a benchmark or a target."""
    page = ROOT / "docs" / "performance.md"
    _, *sections = re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    calls = re.compile(r"`(?:python -m (benchmarks\.\w+)([^`]*)|arena [^`]+|make [^`]+)`")
    for section in sections:
        title = section.partition("\n")[0]
        assert title == "See also" or calls.search(section), f"{title}: no command measures it"
        for name, words in calls.findall(section):
            if name:
                command = importlib.import_module(name).main
                command.make_context(name, shlex.split(words.replace("../before", ".")))  # another checkout


def check_call(words: list[str]) -> None:
    """Check that a command and its options exist; `replay list\\|show`, in a table, names two commands."""
    command: click.Command = main
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name, *words = words
        commands = [
            command.get_command(click.Context(command), command_name) for command_name in name.split("\\|")
        ]
        assert all(commands), f"there is no command {name!r}"
        command = commands[0] or command
    known = {"--help"}.union(*[option.opts for option in command.params])
    unknown = {word for word in (word.strip("[]") for word in words) if word.startswith("--")} - known
    assert not unknown, f"{command.name} has no such option"


def check_targets(words: list[str]) -> None:
    """Check that the targets of a `make` call exist."""
    targets = re.findall(r"^([\w%-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for word in words:
        assert "=" in word or any(fnmatch(word, target.replace("%", "*")) for target in targets)


def test_the_readme_lists_every_command() -> None:
    listed = {span.split()[1] for span in spans(README) if span.startswith("arena ")}
    assert listed == {name for commands in COMMANDS.values() for name in commands}


@each_document
def test_the_links_of_a_document_resolve(document: Path) -> None:
    for target, anchor in re.findall(
        r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)", document.read_text(encoding="utf-8")
    ):
        if "://" in target:
            continue
        file = (document.parent / target) if target else document
        assert file.exists(), f"{target!r} is not there"
        assert not anchor or anchor in anchors(file), f"{target}#{anchor} is not there"


def anchors(document: Path) -> list[str]:
    """Return the anchors of a document's headings."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings]


@each_document
def test_view_attributes_named_in_a_document_exist(document: Path) -> None:
    views = [rules.match(2, "any text").view(0) for rules in VARIANTS]
    named = {name for span in spans(document) for name in re.findall(r"\bview\.(\w+)", span)}
    for name in named:
        assert any(hasattr(view, name) for view in views), f"no view has {name}"


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that runs a command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, prog_name="arena", catch_exceptions=False)


@pytest.fixture
def readme_bot(tmp_path: Path) -> Path:
    """Return the file of the bot in the README, in an empty folder."""
    ((_, code),) = blocks(README, "python")
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    return tmp_path / "mine.py"


def test_the_readme_bot_is_between_prudent_and_greedy(arena: Callable[..., Result], readme_bot: Path) -> None:
    terms = ("--blocks", "60", "--seed", "readme", "--isolation", "inline", "--jobs", "1")
    result = arena("run", "greedy", "prudent", "random", "mine.py", *terms, "--out", "run")
    assert result.exit_code == 0, result.output
    with (readme_bot.parent / "run" / "elo.csv").open(encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: -float(row["elo"]))
    assert [row["bot"] for row in rows] == ["greedy", "mine.py", "prudent", "random"]
    assert {row["faults"] for row in rows} == {"0"}


def test_the_readme_command_adds_its_bot_to_the_quick_tournament(
    arena: Callable[..., Result], readme_bot: Path
) -> None:
    (line,) = [line for line in command_lines(README) if line.startswith("arena run mine.py")]
    terms = ("--blocks", "1", "--set", "tokens=1", "--jobs", "1", "--isolation", "inline")
    result = arena(*shlex.split(line)[1:], *terms)
    assert result.exit_code == 0, result.output
    assert all(name in result.stdout for name in ("mine.py", "counter", "stand-pat"))


def test_the_readme_bot_can_be_submitted_under_its_name(
    arena: Callable[..., Result], readme_bot: Path
) -> None:
    assert arena("snapshot", "mine.py").exit_code == 0
    submitted = arena("submit", "mine.py", "--json")
    assert submitted.exit_code == 0, submitted.output
    assert '"name":"mine"' in submitted.stdout


@pytest.mark.full
def test_the_table_of_the_readme_is_what_its_command_prints(arena: Callable[..., Result]) -> None:
    (_, picture), *_ = blocks(README, "console")
    line, _, shown = picture.partition("\n")
    result = arena(*shlex.split(line)[2:], "--jobs", "1")
    assert result.stdout.startswith(shown)
