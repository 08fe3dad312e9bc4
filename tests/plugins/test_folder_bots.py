"""Bots in folders with a `bot.toml`, and the variants that bots declare."""

import zipfile
from pathlib import Path

import pytest

from arena.errors import PluginError
from arena.games import VARIANTS
from arena.plugins import BotSpec, FolderBot, Launch, parse_bot, supported_rules
from arena.plugins.manifest import Manifest, read_manifest

CODE = "from tricks import FIRST\nclass Shark:\n    def act(self, view):\n        return view.legal[FIRST]\n"


@pytest.fixture
def shark(tmp_path: Path) -> Path:
    """A bot of two files."""
    folder = tmp_path / "shark"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "shark"\nclass = "bot.py:Shark"\nteam = "sea"\n')
    (folder / "bot.py").write_text(CODE)
    (folder / "tricks.py").write_text("FIRST = 0\n")
    return folder


def test_manifest_is_read_once(shark: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def count_read(folder: Path) -> Manifest:
        read.append(folder)
        return read_manifest(folder)

    monkeypatch.setattr("arena.plugins.sources.read_manifest", count_read)
    spec = parse_bot("./shark", tmp_path)
    spec.source.launch()
    spec.source.variants()
    spec.source.load()
    assert (spec.name, spec.team, read) == ("shark", "sea", [shark])


def test_folder_is_named_by_its_manifest(shark: Path, tmp_path: Path) -> None:
    spec = parse_bot("./shark", tmp_path)
    assert spec == BotSpec(FolderBot(str(shark)), name="shark", team="sea")
    assert spec.source.kind == "folder"
    assert parse_bot("shark", tmp_path) == spec
    assert parse_bot(".", shark) == spec
    assert parse_bot(str(spec.source), Path()) == spec
    shark.rename(tmp_path / "greedy")  # an installed bot is not hidden by a folder of its name
    assert parse_bot("greedy", tmp_path).source.kind == "built-in"
    assert parse_bot("./greedy", tmp_path).source.kind == "folder"
    (tmp_path / "greedy").rename(shark)
    (tmp_path / ".pyenv").symlink_to(tmp_path)
    assert parse_bot(".pyenv/shark", tmp_path).source.kind == "folder"
    table = {"bot": "shark", "teeth": 3, "team": "land"}
    assert parse_bot(table, tmp_path) == BotSpec(
        FolderBot(str(shark)), "shark(teeth=3)", {"teeth": 3}, "land"
    )


def test_folder_class_imports_from_its_own_folder_only(shark: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for file in shark.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    (other / "tricks.py").write_text("FIRST = -1\n")
    classes = [parse_bot(f"./{folder.name}", tmp_path).source.load() for folder in (shark, other)]
    assert [bot.act.__globals__["FIRST"] for bot in classes] == [0, -1]


def test_launch_has_absolute_paths(shark: Path, tmp_path: Path) -> None:
    folder = str(shark)
    by_class = Launch(target=f"{folder}/bot.py:Shark", folder=folder, reads=(folder,))
    assert parse_bot("./shark", tmp_path).source.launch() == by_class
    (shark / "bot.toml").write_text('name = "shark"\ncommand = ["bin/shark", "--fast"]\n')
    by_command = Launch(command=(f"{folder}/bin/shark", "--fast"), folder=folder, reads=(folder,))
    assert parse_bot("./shark", tmp_path).source.launch() == by_command
    (shark / "bot.toml").write_text('name = "shark"\ncommand = ["node", "shark.js"]\n')
    assert parse_bot("./shark", tmp_path).source.launch().command == ("node", "shark.js")
    file = str(shark / "bot.py")
    assert parse_bot("shark/bot.py:Shark", tmp_path).source.launch() == Launch(
        target=f"{file}:Shark", reads=(file,)
    )
    command = Launch(command=("python3", file, "-v"), folder=folder, reads=(file,))
    assert parse_bot("cmd:python3 bot.py -v", shark).source.launch() == command
    assert parse_bot("greedy", tmp_path).source.launch() == Launch(target="bots.plain:Greedy")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("name = 7", "Expected `str`, got `int` - at `name`"),
        ("name =", "is not valid TOML"),
        ("name = " + "[" * 10_000, "is not valid TOML"),
        ("a" + ".a" * 40 + " = 1", "is not valid TOML: a dotted key has more than 32 parts"),
        ('name = "' + "9" * (1 << 14), "is larger than 16 KiB"),
        ("name = '\xff'", "is not valid TOML"),
        *(
            (f'name = "a"\ncommand = {command}', "neither in the folder nor the system's")
            for command in (["../other/bot"], ["/tmp/bot"], ["python3", "../bot.py"], ["./a/../../b"])
        ),
        ('name = "a"\nclass = "b\\u0000.py:B"', "names no class in the folder"),
        ('class = "bot.py:Shark"', "the table missing required field `name`"),
        ('name = "shark"', "a bot has either class"),
        ('name = "shark"\nclass = "bot.py:Shark"\ncommand = ["a"]', "a bot has either class"),
        ('name = "shark"\nwasm = "bot.wasm"\ncommand = ["a"]', "a bot has either class"),
        ('name = "shark"\nwasm = "bot.wat"', "names no module in the folder: write wasm = "),
        ('name = "shark"\nwasm = "../bot.wasm"', "names no module in the folder: write wasm = "),
        ('name = "shark"\nclass = "../bot.py:Shark"', r"class: '\.\./bot.py:Shark' names no class"),
        ('name = "shark"\nclass = "/bot.py:Shark"', "class: '/bot.py:Shark' names no class"),
        ('name = "shark"\nclass = "bot.py"', "class: 'bot.py' names no class"),
        ('name = "shark"\nclass = "other.py:Shark"', "class: there is no file other.py"),
        ('name = "../shark"\nclass = "bot.py:Shark"', r"name: '\.\./shark' is not 1 to 40 letters"),
        ('nane = "shark"', "nane: there is no such key; the nearest is 'name'"),
        ('name = "a"\ncommand = ["a"]\nauthor = "a\\u001b"', "has characters that do not print"),
        (
            'name = "a"\ncommand = ["a"]\nvariants = ["livs"]',
            "no game and no family is called 'livs'; the nearest is 'lives'",
        ),
    ],
)
def test_wrong_manifest_is_refused_with_file_and_key(
    shark: Path, tmp_path: Path, text: str, error: str
) -> None:
    (shark / "bot.toml").write_text(text, encoding="latin-1")
    with pytest.raises(PluginError, match=error) as refused:
        parse_bot("./shark", tmp_path)
    assert str(refused.value).startswith(str(shark))


def test_folder_without_a_bot_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=f"there is no folder {tmp_path}/nowhere"):
        parse_bot("./nowhere", tmp_path)
    (tmp_path / "junk.zip").write_bytes(b"PK? not at all")
    with pytest.raises(PluginError, match=f"{tmp_path}/junk.zip is neither Python nor a zip archive"):
        parse_bot("./junk.zip", tmp_path)
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as archive:
        archive.writestr("bot.toml", "")
    with pytest.raises(PluginError, match=f"{tmp_path}/bot.zip is a zip archive: unpack it"):
        parse_bot("./bot.zip", tmp_path)
    with pytest.raises(PluginError, match=f"{tmp_path} is not a bot: it has neither a bot.toml nor"):
        parse_bot(".", tmp_path)


@pytest.mark.parametrize(
    ("line", "games"),
    [
        ('variants = ("lives", "commerce")', ("lives", "commerce")),
        ('variants: ClassVar = ["pool", "lives"]', ("pool", "lives")),
        ("variants = choose()", ()),
        ('other = ("pool",)', ()),
        ("variants = (", ()),
    ],
)
def test_class_variants_are_read_without_running_the_file(
    shark: Path, tmp_path: Path, line: str, games: tuple[str, ...]
) -> None:
    (shark / "bot.py").write_text(f"1 / 0\nclass Other:\n    variants = ()\nclass Shark:\n    {line}\n")
    assert parse_bot("./shark", tmp_path).source.variants() == games
    assert parse_bot("shark/bot.py:Shark", tmp_path).source.variants() == games


def test_unknown_declared_variant_is_refused_with_its_line(shark: Path, tmp_path: Path) -> None:
    (shark / "bot.py").write_text('class Shark:\n    variants = ("lives", "livs")\n')
    with pytest.raises(PluginError, match=rf"{shark}/bot.py:2: variants: no game .* called 'livs'"):
        parse_bot("./shark", tmp_path).source.variants()
    (shark / "bot.py").write_text('class Shark:\n    variants = "lives"\n')
    with pytest.raises(PluginError, match="variants: 'lives' is not a list of games"):
        parse_bot("./shark", tmp_path).source.variants()


def test_installed_variants_are_read_from_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    info = tmp_path / "claimer-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: claimer\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("[arena.bots]\nclaimer = claimer.deep.bot:Bot\n")
    (tmp_path / "claimer/deep").mkdir(parents=True)
    (tmp_path / "claimer/__init__.py").write_text("1 / 0")
    (tmp_path / "claimer/deep/bot.py").write_text("class Bot:\n    variants = ['cox']\n")
    assert parse_bot("claimer", tmp_path).source.variants() == ("cox",)
    assert parse_bot("greedy", tmp_path).source.variants() == ()


def test_variants_are_declared_by_name_or_family_or_default_to_all(shark: Path, tmp_path: Path) -> None:
    def games() -> list[str]:
        return [rules.name for rules in supported_rules(parse_bot("./shark", tmp_path).source.variants())]

    assert games() == [rules.name for rules in VARIANTS]
    (shark / "bot.toml").write_text('name = "a"\ncommand = ["a"]\nvariants = ["cox", "draw", "commerce"]\n')
    assert games() == ["lives", "thirty-one", "trentuno-draw", "stop-the-bus-31", "thirty-one-pot", "cox"]
