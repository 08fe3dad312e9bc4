"""Bots that are WebAssembly modules play the same, and fail the same, in every place where they run."""

import json
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena import play_match
from arena.errors import PluginError
from arena.games import VARIANTS, View, variant
from arena.games.action import Action
from arena.play import Info, Limits
from arena.play.bot_processes import make_launch_spec
from arena.play.bot_runtime.flat_views import CARD_BYTES, WORD_BYTES, FlatCache, FlatEncoder, encode_ints
from arena.play.bot_runtime.json_views import view_to_json
from arena.play.bot_runtime.view_schema import CARD, HAND, PLAIN, family_fields, view_class
from arena.play.conformance.checks import find_startup_error
from arena.play.isolation import Level, probe
from arena.plugins import BotSpec, parse_bot
from bots.plain import Greedy
from tests.play.bot_processes.hosted_matches import Played, play_matches
from tests.play.bot_runtime.wasm_modules import IN_MATCHES, REFUSED, module, write_bot

wasmtime = pytest.importorskip("wasmtime")

from arena.play.bot_runtime import wasm_module  # noqa: E402 (it needs wasmtime)
from arena.play.bot_runtime.wasm_runtime import measure_fuel  # noqa: E402

EXAMPLES = Path(__file__).parents[3] / "examples"
LIVES = variant("lives")
LIMITS = Limits(fuel=200_000, decision_ms=60_000, start_ms=60_000)
SIZES = [pytest.param(False, id="short"), pytest.param(True, id="full", marks=pytest.mark.full)]


def bot(folder: Path) -> BotSpec:
    return parse_bot(str(folder), folder)


# --- matches ---


def seats_at(level: Level, folders: list[Path]) -> list[Any]:
    if level == "wasm":
        return [bot(folder).source.load() for folder in folders]
    return [make_launch_spec(bot(folder), level) for folder in folders]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    base = tmp_path_factory.mktemp("hostile")
    return [write_bot(base / name, text) for name, (text, _) in IN_MATCHES.items()]


@pytest.fixture(scope="module")
def played(hostile: list[Path]) -> list[Played]:
    """A match of all hostile bots in this process: half of them at a table."""
    return [play_matches(LIVES, seats_at("wasm", table), 1, LIMITS)[0] for table in tables(hostile)]


def tables(folders: list[Path]) -> list[list[Path]]:
    half = len(folders) // 2
    return [folders[:half], folders[half:]]


def test_each_failure_is_a_fault_of_its_kind_and_the_match_goes_on(
    hostile: list[Path], played: list[Played]
) -> None:
    for table, match in zip(tables(hostile), played, strict=True):
        for seat, folder in enumerate(table):
            expected = IN_MATCHES[folder.name][1]
            kinds = {kind for place, kind, _ in match.faults if place == seat}
            assert kinds == ({expected} if expected else set()), folder.name
    assert [play_matches(LIVES, seats_at("wasm", table), 1, LIMITS)[0] for table in tables(hostile)] == played


@pytest.mark.parametrize("full", SIZES)
@pytest.mark.parametrize("level", ["process", "sandbox"])
def test_faults_are_the_same_in_a_process(
    level: Level, full: bool, hostile: list[Path], played: list[Played]
) -> None:
    if not probe(level).usable:
        pytest.skip(f"{level} is not usable here")
    pairs = list(zip(tables(hostile), played, strict=True))
    for table, match in pairs if full else pairs[level == "sandbox" :][:1]:  # else half in each, for the time
        assert play_matches(LIVES, seats_at(level, table), 1, LIMITS) == [match]


def test_a_fault_says_what_happened_and_the_next_decision_has_a_new_instance(tmp_path: Path) -> None:
    counted = """(local $n i32) (local.set $n (i32.add (i32.load (i32.const 8)) (i32.const 1)))
        (i32.store (i32.const 8) (local.get $n))
        (if (i32.eq (local.get $n) (i32.const 3)) (then unreachable)) (local.get $n)"""
    text = module(counted).replace("func $act", 'func $"a\\nb"')
    made = bot(write_bot(tmp_path / "counts", text)).source.load()
    match = LIVES.match(3, "a match")
    view = match.view(match.seat_to_act or 0)
    info = Info.of(LIVES, seat=view.seat, players=3, key="key", limits=LIMITS)
    one, other = made(info), made(info)
    answers: list[Any] = []
    for playing in (one, one, one, one, other):
        try:
            answers.append(view.legal.index(playing.act(view)))
        except Exception as error:
            answers.append(str(error))
    assert answers == [1, 2, "wasm `unreachable` instruction executed, in a b", 1, 1]


def test_fuel_ends_a_decision_and_all_decisions_of_a_match(tmp_path: Path) -> None:
    thousand = "(local i32) (loop (br_if 0 (i32.lt_u (local.tee 2 (i32.add (local.get 2) (i32.const 1)))\n"
    made = bot(write_bot(tmp_path / "works", module(f"{thousand}(i32.const 1000)))) (i32.const 0)")))
    faults = []
    match = LIVES.match(3, "a match")
    view = match.view(match.seat_to_act or 0)
    for fuel, match_fuel in ((5_000, 10**6), (8_000, 10**6), (8_000, 15_000)):
        limits = Limits(fuel=fuel, match_fuel=match_fuel)
        playing = made.source.load()(Info.of(LIVES, seat=0, players=3, key="key", limits=limits))
        for _ in range(3):
            try:
                playing.act(view)
                faults.append("")
            except Exception as error:
                faults.append(str(error))
    decision, whole = "it used up its fuel, 5,000 for a decision", "it used up its fuel, 15,000 for a match"
    assert faults == [decision] * 3 + [""] * 3 + ["", "", whole]


def test_fuel_lasts_for_a_time_that_a_machine_can_measure() -> None:
    assert 0 < measure_fuel(10_000_000) < 10


# --- modules that are refused ---


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_is_no_bot_is_refused_with_what_would_help(name: str, tmp_path: Path) -> None:
    text, reason = REFUSED[name]
    with pytest.raises(PluginError, match=reason):
        bot(write_bot(tmp_path / "bad", text)).source.load()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not a WebAssembly module in binary form"),
        (b"garbage" * 100, "is not a WebAssembly module in binary form"),
        (b"\0asm\x0d\0\1\0", "is not a WebAssembly module in binary form"),
        (b"\0asm\1\0\0\0\1\x85", "does not compile: .*unexpected end"),
        (bytes(wasm_module.MAX_MODULE_BYTES + 1), "is larger than 1 MiB"),
    ],
    ids=["empty", "garbage", "component", "cut off", "large"],
)
def test_other_files_are_refused(data: bytes, reason: str, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "bad", module())
    (folder / "bot.wasm").write_bytes(data)
    with pytest.raises(PluginError, match=reason):
        bot(folder).source.load()


def test_a_module_that_takes_long_to_compile_does_not_start(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "slow", module())
    count = 10_000
    step = b"\x20\x00\x04\x40\x20\x01\x41\x01\x6a\x21\x02\x0b"  # an `if`, of which each doubles the paths
    body = b"\x01\x08\x7f" + step * count + b"\x0b"
    (folder / "bot.wasm").write_bytes(make_binary(body, 8))
    error = str(find_startup_error(bot(folder), "wasm", Limits(start_ms=500), LIVES))
    assert error.startswith(("it was not ready in 0.5", "its program ended"))  # for lack of time or memory


def make_binary(body: bytes, copies: int) -> bytes:
    def leb(number: int) -> bytes:
        return bytes([number & 127 | 128]) + leb(number >> 7) if number > 127 else bytes([number])

    def section(number: int, data: bytes) -> bytes:
        return bytes([number]) + leb(len(data)) + data

    code = section(10, leb(copies) + (leb(len(body)) + body) * copies)
    return b"\0asm\1\0\0\0" + section(1, b"\x01\x60\0\0") + section(3, leb(copies) + b"\0" * copies) + code


def test_a_bot_that_cannot_start_says_the_same_in_its_process(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "bad", REFUSED["imports"][0])
    errors = [find_startup_error(bot(folder), level, LIMITS, LIVES) for level in ("wasm", "process")]
    assert errors[0] == errors[1]
    assert "imports wasi.clock" in str(errors[0])
    assert find_startup_error(bot(write_bot(tmp_path / "good", module())), "process", LIMITS, LIVES) is None


# --- examples ---


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    def build(name: str, *command: str) -> Path:
        if not shutil.which(command[0]):
            pytest.skip(f"{command[0]} is not here")
        folder = tmp_path_factory.mktemp(name)
        shutil.copyfile(EXAMPLES / "wasm/bot.toml", folder / "bot.toml")
        for file in ("wasm/bot.c", "wasm-languages/json.c", "wasm-languages/bot.zig", "wasm-languages/bot.rs",
                     "wasm-languages/bot.ts"):  # fmt: skip
            shutil.copyfile(EXAMPLES / file, folder / Path(file).name)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        if done.returncode:
            pytest.skip(f"{command[0]} cannot compile for WebAssembly: {done.stderr[-200:]}")
        return folder

    return build


CLANG = ("clang", "--target=wasm32", "-O2", "-Wall", "-Wextra", "-Werror", "-nostdlib", "-Wl,--no-entry,-s")


@pytest.mark.parametrize("full", SIZES)
@pytest.mark.parametrize("source", ["the committed module", "bot.c", "json.c"])
def test_the_greedy_of_the_examples_decides_as_greedy(
    source: str, full: bool, built: Callable[..., Path]
) -> None:
    compiled = source.endswith(".c")
    folder = built("c", *CLANG, "-o", "bot.wasm", source) if compiled else EXAMPLES / "wasm"
    made = bot(folder).source.load()
    assert made.is_flat == (source != "json.c")
    for name in ("lives", "ready-money", "cambio"):
        for number in range(200 if full else 4):
            wasm, python = (play_match(name, [kind] * 4, f"match {number}") for kind in (made, Greedy))
            assert (wasm["deals"], wasm["faults"]) == (python["deals"], [])


@pytest.mark.parametrize(
    "command",
    [
        ("zig", "build-exe", "bot.zig", "-target", "wasm32-freestanding", "-O", "ReleaseSmall", "-fno-entry",
         "-rdynamic", "--stack", "8192"),
        ("asc", "bot.ts", "--optimize", "--runtime", "stub", "--use", "abort=", "--outFile", "bot.wasm"),
        ("rustc", "bot.rs", "--target", "wasm32-unknown-unknown", "--crate-type", "cdylib", "-O",
         "-C", "panic=abort", "-C", "strip=symbols"),
    ],
    ids=["zig", "assemblyscript", "rust"],
)  # fmt: skip
def test_examples_in_other_languages_play(command: tuple[str, ...], built: Callable[..., Path]) -> None:
    class Last:
        def act(self, view: View) -> Action:
            return view.legal[-1]

    made = bot(built("other", *command)).source.load()
    for name in ("lives", "cambio", "cox"):
        kinds: tuple[Any, ...] = (made, Last)
        wasm, python = (play_match(name, [kind] * 4, "a match") for kind in kinds)
        assert (wasm["deals"], wasm["faults"]) == (python["deals"], [])


# --- views ---


def read_fields(data: bytes) -> list[tuple[int, ...]]:
    numbers, fields, at = struct.unpack(f"<{len(data) // 4}i", data), [], 0
    while at < len(numbers):
        fields.append(numbers[at + 1 : at + 1 + numbers[at]])
        at += 1 + numbers[at]
    return fields


def card_code(text: str) -> int:
    code: int = struct.unpack("<i", text.encode().ljust(CARD_BYTES, b"\0"))[0]
    return code


def flatten(value: Any) -> list[int]:
    """Return the numbers of a field, from what JSON has of it: a hand is a text there."""
    if isinstance(value, str):
        return [card_code(card) for card in value.split()]
    if isinstance(value, list | tuple):
        parts = [flatten(item) for item in value]
        is_nested = any(isinstance(item, str | list | tuple) for item in value)
        return [number for part in parts for number in ([len(part), *part] if is_nested else part)]
    return [-1 if value is None else int(value)]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_flat_view_has_what_the_view_has(rules: Any) -> None:
    match, cache = rules.match(max(rules.players[0], min(4, rules.players[-1])), "views"), FlatCache()
    encoders: dict[int, FlatEncoder] = {}
    for number in range(25):
        if match.is_over:
            break
        view = match.view(match.seat_to_act)
        encoder = encoders.setdefault(view.seat, FlatEncoder(cache))
        head, order, roles, hand, dealt, tokens, chips, points, pool, legal, *further = read_fields(
            encoder.encode(view)
        )
        shown = json.loads(json.dumps(view_to_json(view)))
        assert head == (1, *(shown[name] for name in ("seat", "players", "dealer", "deal")))
        assert (list(order), roles) == (shown["order"], view.opening.roles)
        assert [list(hand), list(dealt)] == [flatten(shown["hand"]), flatten(shown["dealt"])]
        held = [list(tokens), list(chips), list(points)]
        assert held == [shown["holdings"].get(unit, []) for unit in ("tokens", "chips", "points")]
        assert pool == (() if view.holdings.pool is None else (view.holdings.pool,))
        at, actions = 1, []
        for _ in range(legal[0]):
            actions.append(legal[at + 1 : at + 1 + legal[at]])
            at += 1 + legal[at]
        assert at == len(legal)
        for action, encoded in zip(view.legal, actions, strict=True):
            word = struct.pack("<3i", *encoded[:3]).rstrip(b"\0").decode()
            assert view.text(action)[:WORD_BYTES].startswith(word) or word == action.kind[:WORD_BYTES]
            slots = encode_ints(action.give) + encode_ints(action.take)
            assert struct.pack(f"<{len(encoded) - 3}i", *encoded[3:]).startswith(slots)
        for (name, shape), field in zip(family_fields(view_class(view)).items(), further, strict=True):
            value = shown[name]
            if shape == CARD:
                assert list(field) == ([0] if value is None else [card_code(value)])
            elif shape in (HAND, PLAIN) or isinstance(value, list):
                assert list(field) == flatten(value), name
        match.apply(view.legal[number % len(view.legal)])
