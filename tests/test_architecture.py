"""Architecture: imports point down the layers, modules stay small, the rules stay pure."""

import ast
import re
import runpy
import sys
from collections import Counter
from collections.abc import Iterable
from configparser import ConfigParser
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = (
    *("errors", "columns", "compiled_classes", "source_digest", "installed", "game_source_files", "games"),
    *("families", "plugins", "play"),
    *(
        "rating",
        "tournament",
        "league",
        "output",
        "adapters",
        "data",
        "interactive",
        "playground",
        "web",
        "cli",
    ),
)
SUBPACKAGES = {  # layers whose subpackages are ordered too
    "tournament": (
        *(
            "setup",
            "tables",
            "schedule",
            "store",
            "paired_blocks",
            "files",
            "formats",
            "engine",
            "record_search",
            "results",
            "result_files",
        ),
        *("merged_shards", "run", "designs", "review"),
    ),
    "output": ("words", "tables", "texts", "figures", "pages", "site"),
}
FAMILIES = sorted({path.parent.name for path in ROOT.glob("arena/families/*/__init__.py")})
PARTS = {"heuristic": "play", "text": "output", "encoding": "adapters"}
"""Modules of a family that belong to a layer above the rules."""
pytestmark = pytest.mark.xdist_group("architecture")  # sources are parsed once a worker

TOP_LEVEL = {"arena", "arena.__main__"}  # re-export names from every layer
SOURCES = sorted([*ROOT.glob("arena/**/*.py"), *ROOT.glob("bots/**/*.py")])
RULES = (ROOT / "arena/games", ROOT / "arena/families")
RULES_SOURCES = [p for p in SOURCES if any(map(p.is_relative_to, RULES)) and p.stem not in PARTS]
COMPILED: list[str] = runpy.run_path(str(ROOT / "setup.py"))["COMPILED"]
ALL_FILES = [*SOURCES, *sorted(ROOT.glob("tests/**/*.py"))]

IMPURE = {
    *("asyncio", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "secrets", "shutil"),
    *("signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib"),
}
GLOBAL_RANDOM = {
    *("betavariate", "choice", "choices", "expovariate", "gauss", "getrandbits", "getstate", "normalvariate"),
    *("randbytes", "randint", "random", "randrange", "sample", "seed", "setstate", "shuffle", "SystemRandom"),
    *("triangular", "uniform"),
}


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


class Facts(NamedTuple):
    """Facts about a file for the tests: to keep its tree would slow down each later garbage collection."""

    imports: tuple[str, ...]
    imports_to_run: tuple[str, ...]
    """Those that are not for types alone."""
    listed_families: tuple[set[str], ...]
    is_of_a_family: bool
    """It names a family in an import, a path, a constant or a comparison."""


@cache
def facts(path: Path) -> Facts:
    """Return what a file has, from one pass over its tree."""
    imported: list[str] = []
    listed: list[set[str]] = []
    is_of_a_family = False
    module = tree(path)
    for node in ast.walk(module):
        imported += imports(node)
        if families := named_families(node):
            listed.append(families)
        is_of_a_family |= is_about_a_family(node)
    blocks = [node for node in module.body if isinstance(node, ast.If) and is_type_checking(node)]
    for_types = [name for block in blocks for node in ast.walk(block) for name in imports(node)]
    to_run = (Counter(imported) - Counter(for_types)).elements()
    return Facts(tuple(imported), tuple(to_run), tuple(listed), is_of_a_family)


def is_type_checking(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(node: ast.AST) -> list[str]:
    """Return every module and name, dotted, that an import names; other nodes name none."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"line {node.lineno}: imports are absolute"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def packages(paths: Iterable[Path]) -> set[str]:
    """Return the top-level packages and modules that files import."""
    return {name.partition(".")[0] for path in paths for name in facts(path).imports}


def is_upward(importer: str, imported: str) -> bool:
    """Tell whether an import points up the list of layers."""
    if not imported.startswith("arena.") or importer in TOP_LEVEL:
        return False
    layer = imported.split(".")[1]
    if layer not in LAYERS:  # a public name re-exported by `arena`
        return importer.startswith("arena.") and layer != "__version__"
    if importer == "arena.games" and re.fullmatch(r"arena\.families\.\w+\.view\.\w+View", imported):
        return False  # a public name, resolved when it is first used
    if importer.startswith("bots."):
        return layer_position(imported)[0] > LAYERS.index("play")
    return layer_position(imported) > layer_position(importer)


def layer_position(name: str) -> tuple[int, int]:
    """Return the position of a module: its layer, and its subpackage within it."""
    layer, subpackage, part = [*name.split("."), "", ""][1:4]
    if layer == "families" and part in PARTS:
        return LAYERS.index(PARTS[part]), 0
    return LAYERS.index(layer), SUBPACKAGES[layer].index(subpackage) if layer in SUBPACKAGES else 0


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_sources_are_found() -> None:
    assert len(SOURCES) > 5
    assert RULES_SOURCES


@pytest.mark.parametrize(
    ("importer", "imported", "expected"),
    [
        ("arena.games.cards", "arena.errors.IllegalAction", False),
        ("arena.plugins", "arena.play.Bot", True),
        ("arena.games.match", "arena.families.cox.rules.CoxRules", True),
        ("arena.families.cox.rules", "arena.families.cox.text.CoxText", True),
        ("arena.families.cox.text", "arena.output.words.family_text.FamilyText", False),
        ("arena.tournament.setup.config", "arena.plugins.parse_bot", False),
        (
            "arena.tournament.setup.config",
            "arena.variant",
            True,
        ),  # inside, import the defining module
        ("arena.cli.main", "arena.__version__", False),
        ("arena.tournament.run", "arena.tournament.store.store.Store", False),
        ("arena.tournament.run", "arena.tournament.engine.engine.run_blocks", False),
        ("arena.tournament.store.store", "arena.tournament.run.Run", True),
        ("arena.tournament.store.store", "arena.output.words.plural", True),
        ("arena.output.site.requests", "arena.output.pages.page.render_page", False),
        ("arena.output.tables.pairs", "arena.output.texts.comparison.comparison_text", True),
        ("arena.families.cox.text", "arena.output.tables.pairs.COLUMNS", True),
        ("bots.plain", "arena.Bot", False),
        ("bots.plain", "arena.families.cox.heuristic.Collector", False),
        ("bots.plain", "arena.families.cox.text.CoxText", True),
        ("bots.plain", "arena.tournament.schedule.Block", True),
    ],
)
def test_upward_imports_are_detected(importer: str, imported: str, expected: bool) -> None:
    assert is_upward(importer, imported) == expected


def test_imports_point_down() -> None:
    imported = [(name_of(path), name) for path in SOURCES for name in facts(path).imports]
    assert [(importer, name) for importer, name in imported if is_upward(importer, name)] == []


@pytest.mark.parametrize("layer", SUBPACKAGES)
def test_every_subpackage_is_listed(layer: str) -> None:
    home = ROOT / "arena" / layer
    inside = {path.relative_to(home).parts[0] for path in home.glob("**/*.py")}
    assert {name.removesuffix(".py") for name in inside} == {"__init__", *SUBPACKAGES[layer]}


def test_ratings_import_nothing_of_the_games() -> None:
    sources = [path for path in SOURCES if path.parts[-2] == "rating"]
    ours = [
        (ids(path), name) for path in sources for name in facts(path).imports if name.startswith("arena.")
    ]
    assert [
        (path, name) for path, name in ours if not name.startswith(("arena.rating", "arena.errors"))
    ] == []


def test_the_arena_imports_no_bot() -> None:
    arena = [path for path in SOURCES if path.is_relative_to(ROOT / "arena")]
    assert [p for p in arena for name in facts(p).imports if name.split(".")[0] == "bots"] == []


def test_a_module_is_one_idea_of_at_most_900_lines() -> None:
    lines = {ids(path): len(path.read_text(encoding="utf-8").splitlines()) for path in ALL_FILES}
    assert {path: number for path, number in lines.items() if number > 900} == {}


BOTS_OWN_PROCESS = {"arena/play/bot_runtime/server.py", "arena/plugins/installed_bot_list.py"}
"""Modules that report whatever a bot raises: no interrupt of the arena's user reaches them."""


def stops_interrupts(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler of all exceptions neither raises again nor gives them to `catch_failure`."""
    if handler.type is None or ast.unparse(handler.type) != "BaseException":
        return handler.type is None
    calls = [ast.unparse(node.func) for node in ast.walk(handler) if isinstance(node, ast.Call)]
    return "catch_failure" not in calls and not isinstance(handler.body[-1], ast.Raise)


def test_interrupts_of_the_user_are_caught_nowhere() -> None:
    sources = [path for path in SOURCES if ids(path) not in BOTS_OWN_PROCESS]
    texts = ((path, path.read_text(encoding="utf-8")) for path in sources)
    trees = [
        (ids(path), ast.parse(text)) for path, text in texts if "BaseException" in text or "except:" in text
    ]
    handlers = [(path, node) for path, module in trees for node in ast.walk(module)]
    assert [
        path for path, node in handlers if isinstance(node, ast.ExceptHandler) and stops_interrupts(node)
    ] == []


def test_no_module_is_a_catch_all() -> None:
    refused = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert [ids(path) for path in ALL_FILES if refused.intersection(path.stem.strip("_").split("_"))] == []


def test_the_rules_are_pure() -> None:
    for path in RULES_SOURCES:
        imported = set(facts(path).imports)
        assert {name.split(".")[0] for name in imported} & IMPURE == set(), path
        assert {f"random.{name}" for name in GLOBAL_RANDOM} & imported == set(), path
        calls = [node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
        names = [f.id for f in calls if isinstance(f, ast.Name)]
        assert {"open", "print", "input"}.isdisjoint(names), path
        owners = [f for f in calls if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name)]
        drawn = [f.attr for f in owners if f.attr in GLOBAL_RANDOM and ast.unparse(f.value) == "random"]
        assert drawn == [], path


def compares_a_name(node: ast.AST) -> bool:
    """Tell whether this is `x.name == …`, `x.name in ("…", …)` or `match x.name`."""
    if isinstance(node, ast.Match):
        return isinstance(node.subject, ast.Attribute) and node.subject.attr == "name"
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    equal = any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)
    listed = any(isinstance(side, ast.Tuple | ast.List | ast.Set) for side in sides)
    return (equal or listed) and any(
        isinstance(side, ast.Attribute) and side.attr == "name" for side in sides
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('rules.name == "lives"', True),
        ('"pool" != self.rules.name', True),
        ('rules.name in ("pool", "tokens")', True),
        ("match rules.name:\n case _: pass", True),
        ("field.name in changes", False),
        ("rules.tokens == 5", False),
    ],
)
def test_name_comparisons_are_detected(text: str, expected: bool) -> None:
    assert any(compares_a_name(node) for node in ast.walk(ast.parse(text))) == expected


def test_the_rules_never_ask_which_variant_they_are() -> None:
    for path in RULES_SOURCES:
        assert [ast.unparse(node) for node in ast.walk(tree(path)) if compares_a_name(node)] == [], path


# --- no list of the families ---


def named_families(node: ast.AST) -> set[str]:
    """Return the families that a list, tuple, set or mapping names."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        entries: list[ast.expr | None] = [*node.elts]
    else:
        entries = [*node.keys] if isinstance(node, ast.Dict) else []
    return {str(entry.value) for entry in entries if isinstance(entry, ast.Constant)} & set(FAMILIES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('("barter", "cox", "lives")', {"barter", "cox"}),
        ('{"barter": 1, "draw": 2}', {"barter", "draw"}),
        ('barter = "cox"', set()),
    ],
)
def test_named_families_are_found(text: str, expected: set[str]) -> None:
    assert set().union(*(named_families(node) for node in ast.walk(ast.parse(text)))) == expected


def test_no_module_lists_the_families() -> None:
    """They are found by their entry points; one that is added is on no list."""
    listed = [(ids(path), names) for path in ALL_FILES for names in facts(path).listed_families]
    assert [(path, names) for path, names in listed if len(names) >= len(FAMILIES) - 1] == []


def is_about_a_family(node: ast.AST) -> bool:
    """Tell whether this imports from a family, is in a path to it or its constant, or `x.family == "…"`."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Div) and is_name_of_family(node.right)
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        named = [getattr(side, "attr", getattr(side, "id", "")) for side in sides]
        return "family" in named and any(is_name_of_family(part) for part in ast.walk(node))
    if isinstance(node, ast.Name) and node.id.isupper():
        return node.id.partition("_")[0].lower() in FAMILIES
    return any(name.startswith("arena.families.") for name in imports(node))


def is_name_of_family(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in FAMILIES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from arena.families.cox.rules import CoxRules", True),
        ('if rules.family != "exchange": pass', True),
        ('family in ("cox", "draw")', True),
        ('ROOT / "families" / "barter"', True),
        ("DRAW_KERNEL = 1", True),
        ("rules.family == name", False),
        ('CLOSING = {"knock", "cambio"}', False),
    ],
)
def test_names_of_families_are_detected(text: str, expected: bool) -> None:
    assert any(is_about_a_family(node) for node in ast.walk(ast.parse(text))) == expected


ABOUT_A_FAMILY = {
    "arena/games/__init__.py",  # views that bots import by name
    "arena/output/words/cards.py",  # `arena hand` for a game whose hands have points
}


def test_no_module_outside_the_families_names_one() -> None:
    """The parts of a family are loaded by the family of the rules."""
    arena = [path for path in SOURCES if path.is_relative_to(ROOT / "arena")]
    outside = [path for path in arena if not path.is_relative_to(ROOT / "arena/families")]
    assert {ids(path) for path in outside if facts(path).is_of_a_family} == ABOUT_A_FAMILY


# --- import cycles, type-only imports among them ---

CYCLES_LEFT = {  # mutually recursive types: rules make deals, which have rules; views sample matches
    frozenset(
        f"arena.games.{name}" for name in ("deal", "determinization", "match", "opening", "rules", "view")
    ),
    frozenset(f"arena.families.exchange.{name}" for name in ("deal", "rules", "widows")),
    *[
        frozenset(f"arena.families.{family}.{name}" for name in ("deal", "rules"))
        for family in FAMILIES
        if family != "exchange"
    ],
}


def import_graph(*, has_types: bool = True) -> dict[str, set[str]]:
    """Return the modules of the arena, each with those that it imports, with or without those for types."""
    files = {name_of(path): path for path in SOURCES if path.is_relative_to(ROOT / "arena")}
    graph = {}
    for name, path in files.items():
        targets = {
            imported if imported in files else imported.rpartition(".")[0]
            for imported in (facts(path).imports if has_types else facts(path).imports_to_run)
            if imported != "arena.__version__"  # a constant beside the names re-exported from every layer
        }
        graph[name] = targets & set(files) - {name}
    return graph


def find_cycles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """Return the groups of two or more nodes that can all reach each other."""
    reach = {node: set(targets) for node, targets in graph.items()}
    for middle in graph:
        for node in graph:
            if middle in reach[node]:
                reach[node] |= reach[middle]
    groups = {frozenset(other for other in reach[node] if node in reach[other]) for node in graph}
    return {group for group in groups if len(group) > 1}


def test_cycles_are_found() -> None:
    assert find_cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "c"}}) == {frozenset({"b", "c"})}


def test_there_is_no_new_import_cycle() -> None:
    """None joins those that are left, and none that is gone stays on their list."""
    assert find_cycles(import_graph()) == CYCLES_LEFT


def test_no_modules_import_each_other_but_for_types() -> None:
    assert find_cycles(import_graph(has_types=False)) == set()


def test_what_is_compiled_needs_nothing_that_a_build_environment_lacks() -> None:
    """There mypy finds no numpy, and what it cannot find has no type to compile for."""
    settings = ConfigParser()
    settings.read(ROOT / "mypyc.ini")
    skipped = {name[5:] for name in settings if settings[name].get("follow_imports") == "skip"}
    graph = import_graph()
    waiting = [path.removesuffix(".py").replace("/", ".") for path in COMPILED]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting += {*graph[name], name.rpartition(".")[0]} - reached - skipped
    files = {name_of(path): path for path in SOURCES}
    assert not {"numpy", "scipy"} & packages(files[name] for name in reached)
    assert packages(ROOT / path for path in COMPILED) - sys.stdlib_module_names == {"arena", "msgspec"}
