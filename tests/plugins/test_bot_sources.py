"""Finding and loading bots; a broken one is a row or a one-line error."""

import gc
import importlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from time import sleep

import pytest

from arena.errors import PluginError
from arena.plugins import BotEntry, BotSpec, FileBot, InstalledBot, discover, parse_bot
from arena.plugins.inspection import PythonFile

HOUSE = [
    "cautious", "collector", "counter", "equilibrium", "expert", "greedy", "prudent",
    "random", "rememberer", "retuned", "rollout", "simple", "stand-pat", "thirty", "thrifty", "tuned",
]  # fmt: skip
GOOD = '''
    class Bot:
        """Plays the first action.

        Whatever it is.
        """
        def act(self, view):
            return view.legal[0]
'''
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a distribution with one bot on the path, as pip would."""
    monkeypatch.syspath_prepend(tmp_path)

    def add(distribution: str, code: str, name: str = "", origin: str = "") -> None:
        module = distribution.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(dedent(code))
        info = tmp_path / f"{module}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n")
        entry = f"{name or distribution} = {origin or module + ':Bot'}"
        importlib.invalidate_caches()
        (info / "entry_points.txt").write_text(f"[arena.bots]\n{entry}\n")

    return add


def rows(seconds: float = 10.0) -> dict[str, BotEntry]:
    return {row.distribution: row for row in discover(seconds) if not row.built_in}


def test_installed_bots_are_listed_and_loaded(
    install: Install, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The output of a plug-in is discarded, its threads hold nothing up, and nothing is imported here."""
    noise = "import os, sys, threading; print('{'); os.write(1, b'{}'); print('!', file=sys.stderr)\n"
    install("lodger", noise + dedent(GOOD) + "threading.Thread(target=threading.Event().wait).start()\n")
    install("fine", GOOD)
    before = os.getcwd()
    entries = discover()
    assert ("lodger" in sys.modules, os.getcwd(), capfd.readouterr()) == (False, before, ("", ""))
    assert [row.name for row in entries if row.built_in] == HOUSE
    assert [row for row in entries if row.error or not row.title] == []
    title = "Plays the first action."
    assert entries[len(HOUSE) :] == [
        BotEntry(name, name, "1.5", False, f"{name}:Bot", title) for name in ("fine", "lodger")
    ]
    spec = parse_bot("fine", tmp_path)
    assert spec == BotSpec(InstalledBot("fine"), name="fine")
    assert (spec.source.kind, spec.source.load().__module__) == ("plug-in", "fine")
    assert parse_bot("random", tmp_path).source.kind == "built-in"


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("class Bot", "SyntaxError: expected ':' (broken.py, line 1)"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("import os; os._exit(3)", "ends the process while it loads (status 3)"),
        ("import os; os.abort()", "ends the process while it loads (signal 6)"),
        ("import os; os.write(3, b'?' * 99); os._exit(0)", "ends the process while it loads (status 0)"),
        ("class Other: pass", "AttributeError: module 'broken' has no attribute 'Bot'"),
        ("Bot = 7", "broken:Bot is not a class"),
        ("class Bot: pass", "broken:Bot is not a bot: its class has no method act(self, view)"),
    ],
)
def test_broken_plug_in_is_a_row_with_its_error(install: Install, code: str, error: str) -> None:
    install("broken", code)
    assert rows()["broken"] == BotEntry("broken", "broken", "1.5", False, "broken:Bot", error=error)


@pytest.mark.parametrize(
    ("name", "code", "error"),
    [
        ("sad-1", "import nowhere", "does not load: ModuleNotFoundError: No module named 'nowhere'"),
        ("sad-2", "raise SystemExit(3)", "does not load: SystemExit: 3"),
        ("sad-3", "class Bot: pass", "is not a bot: its class has no method act(self, view)"),
    ],
)
def test_loading_a_broken_plug_in_names_its_distribution(
    install: Install, name: str, code: str, error: str
) -> None:
    install(name, code)
    with pytest.raises(PluginError) as refused:
        InstalledBot(name).load()
    assert str(refused.value) == f"{name} ({name} 1.5, {name.replace('-', '_')}:Bot) {error}"


def test_bot_in_a_file_is_found_from_the_base_folder_and_loaded_once(tmp_path: Path) -> None:
    path = tmp_path / "mine/bot.py"
    path.parent.mkdir()
    path.write_text("1 / 0\nclass Bot:\n    async def act(self, view): ...\n")
    spec = parse_bot("mine/bot.py", tmp_path)  # an `act` that is async, which a check can name
    assert spec == BotSpec(FileBot(str(path.resolve()), "Bot"), name="mine/bot.py")
    with pytest.raises(PluginError):
        spec.source.load()
    path.write_text(dedent(GOOD))
    assert (spec.source.kind, spec.source.load() is spec.source.load()) == ("file", True)


def test_hanging_plug_in_is_killed_with_its_children(install: Install, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "alive")
    alive = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    code = f"""
        import os, signal
        alive = os.open({str(tmp_path / "alive")!r}, os.O_WRONLY)
        os.write(alive, b"!")
        os.fork()  # the other one holds on to the pipe of the first
        signal.pause()
    """
    install("endless", code)
    assert rows(seconds=3)["endless"].error == "does not load within 3 s"
    os.set_blocking(alive, True)
    assert (os.read(alive, 1), os.read(alive, 1)) == (b"!", b"")  # the end comes when both are gone
    os.close(alive)


def test_ambiguous_bot_name_is_refused(install: Install, tmp_path: Path) -> None:
    install("one", GOOD, name="same")
    install("two", GOOD, name="same")
    error = "same is offered by one 1.5 and two 1.5: uninstall all but one"
    assert [row.error for row in discover() if row.name == "same"] == [error, error]
    with pytest.raises(PluginError) as refused:
        parse_bot("same", tmp_path)
    assert str(refused.value) == error


def test_plug_in_cannot_replace_a_built_in_bot(install: Install, tmp_path: Path) -> None:
    install("impostor", GOOD, name="greedy")
    house, impostor = [row for row in discover() if row.name == "greedy"]
    assert (house.built_in, house.error) == (True, None)
    assert impostor.error == "greedy is the name of a built-in bot: offer it under another"
    assert parse_bot("greedy", tmp_path).source.kind == "built-in"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("bot.py:Nobody", "{file} has no class Nobody; there are Idle"),
        ("bot.py:number", "{file}:number is not a class"),
        ("bot.py:Idle", "{file}:Idle is not a bot: its class has no method act(self, view)"),
        ("bot.py:", "bot.py: does not name a class in a file: write path/bot.py:Class"),
        ("bot.py", "bot.py has no class with a method act(self, view), which makes a bot"),
        ("bot", "no bot is installed as 'bot': the file here is ./bot.py"),
        ("bot:Idle", "bot:Idle does not name a class in a file: write path/bot.py:Class"),
        ("other.py:Bot", "other.py:Bot: there is no file {folder}/other.py"),
        ("broken.py:Bot", "{folder}/broken.py does not load: ZeroDivisionError: division by zero"),
        (
            "cmd:./bot -x",
            "cmd:{folder}/bot -x is a program: it runs in a process of its own and cannot be imported",
        ),
        ("gredy", "no bot is called 'gredy'; the nearest is 'greedy'"),
        ("chess", f"no bot is called 'chess'; there are {', '.join(HOUSE)}"),
    ],
)
def test_missing_bot_error_says_what_would_be_right(tmp_path: Path, text: str, error: str) -> None:
    (tmp_path / "bot.py").write_text("number = 7\nclass Idle: pass\n")
    (tmp_path / "broken.py").write_text("1 / 0")
    with pytest.raises(PluginError) as refused:
        parse_bot(text, tmp_path).source.load()
    folder = tmp_path.resolve()
    assert str(refused.value) == error.format(folder=folder, file=folder / "bot.py")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("bots/x.py", "bots/x.py"),
        ("./bots//x.py", "bots/x.py"),
        ("bots/../bots/x.py:X", "bots/x.py:X"),
        ("../here/bots/x.py", "bots/x.py"),
        ("{tmp}/here/bots/x.py", "bots/x.py"),
        ("{tmp}/link/bots/x.py", "bots/x.py"),
        ("../y (2).py", "../y (2).py"),
        ("{tmp}/y (2).py:X", "../y (2).py:X"),
        ("../link/../y (2).py", "../y (2).py"),
        ("bots/latest.py", "bots/latest.py"),
        ("{tmp}/here/./bots/latest.py", "bots/latest.py"),
    ],
)
def test_a_file_has_one_name_however_its_path_is_written(text: str, name: str, tmp_path: Path) -> None:
    here = tmp_path / "here"
    (here / "bots").mkdir(parents=True)
    for path in (here / "bots/x.py", tmp_path / "y (2).py"):
        path.write_text("class X:\n    def act(self, view): ...\n")
    (here / "bots/latest.py").symlink_to("x.py")
    (tmp_path / "link").symlink_to("here")
    text = text.format(tmp=tmp_path)
    assert parse_bot(text, here).name == name
    assert parse_bot({"bot": text, "depth": 3}, here).name == f"{name}(depth=3)"
    assert parse_bot({"bot": text, "name": text}, here).name == text


def test_settings_are_part_of_a_default_name(tmp_path: Path) -> None:
    table = {"bot": "random", "width": 7, "deep": True, "style": "calm"}
    printed = "random(deep=true, style=calm, width=7)"
    settings = {"deep": True, "style": "calm", "width": 7}
    assert parse_bot(table, tmp_path) == BotSpec(InstalledBot("random"), printed, settings)
    named = {**table, "name": "r7", "team": "reds"}
    assert parse_bot(named, tmp_path) == BotSpec(InstalledBot("random"), "r7", settings, "reds")


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (7, "7 is not a bot: write"),
        ({"name": "me"}, "{'name': 'me'} is not a bot: write"),
        ({"bot": 7}, "bot is a text, not 7"),
        ({"bot": "greedy", "name": ["a"]}, r"name is a text, not \['a'\]"),
        ({"bot": "greedy", "name": "a\nb"}, r"'a\\nb' cannot be a name"),
        ("cmd:", "cmd: names no program"),
        ("cmd:./bot 'a", "cmd:./bot 'a is not a command: no closing quotation"),
    ],
)
def test_malformed_bot_entry_is_refused(entry: object, error: str, tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=error):
        parse_bot(entry, tmp_path)


def test_no_bot_code_runs_before_load(install: Install, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    code = f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n" + dedent(GOOD)
    install("eager", code)
    (tmp_path / "eager_file.py").write_text(code)
    specs = [parse_bot("eager", tmp_path), parse_bot("eager_file.py:Bot", tmp_path)]
    assert [spec.source.kind for spec in specs] == ["plug-in", "file"]
    assert not mark.exists()
    specs[1].source.load()
    assert mark.exists()


def test_files_are_parsed_in_several_threads(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        f"class Mine:\n    variants = ('lives',)\n    table = {list(range(500))}\n"
    )

    def let_others_run(phase: str, info: dict[str, int]) -> None:
        sleep(0)

    threshold = gc.get_threshold()
    gc.callbacks.append(let_others_run)  # while a syntax tree is made, which is what once failed
    gc.set_threshold(20)
    try:
        with ThreadPoolExecutor(4) as executor:
            read = list(
                executor.map(lambda _: PythonFile(tmp_path / "bot.py").read_variants("Mine"), range(40))
            )
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(let_others_run)
    assert read == [("lives",)] * 40
