"""Fixtures for all tests: golden files and how they are rewritten, and a real browser."""

import gc
import os
import shutil
import signal
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.output.pages.browsing import Opened, Opener

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
Golden = Callable[[Path, str], str]
IN_PROCESS = [Path(__file__).with_name(name) for name in ("columns", "families", "games")]
"""Folders whose tests start no processes: many files, none of which takes long."""


# On a busy machine an example can take seconds: no test is timed.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_configure() -> None:
    """Let Ctrl-C reach what tests start, and refuse compiled modules older than their source."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what it puts in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sources = Path(__file__).parents[1] / "arena"  # missing where an installed arena is tested
    for compiled in sources.rglob(f"*{EXTENSION_SUFFIXES[0]}"):
        source = compiled.with_name(compiled.name.removesuffix(EXTENSION_SUFFIXES[0]) + ".py")
        if source.exists() and source.stat().st_mtime > compiled.stat().st_mtime:
            raise pytest.UsageError(f"{source} is newer than its compiled module: run `make compiled`")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is collected, half a million objects, out of all garbage collections."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the groups, which take longest, and end with files that start no processes.

    No worker should still be busy with a long file when the others are done. In between, the files of each
    folder are spread evenly: else all workers would wait at once in folders whose tests wait for processes.
    """
    folders: defaultdict[Path, list[Path]] = defaultdict(list)
    for path in dict.fromkeys(item.path for item in items):
        folders[path.parent].append(path)
    places = {path: (i + 0.5) / len(files) for files in folders.values() for i, path in enumerate(files)}
    is_in_process = cache(lambda path: any(path.is_relative_to(folder) for folder in IN_PROCESS))

    def order(item: pytest.Item) -> tuple[bool, bool, float]:
        is_in_group = item.get_closest_marker("xdist_group") is not None
        return not is_in_group, is_in_process(item.path), 0.0 if is_in_group else places[item.path]

    items.sort(key=order)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let one worker have all tests of a file that are in no group, so that its fixtures are made once."""
    from xdist.scheduler import LoadGroupScheduling

    if config.getoption("dist") != "loadgroup":
        return None
    scheduling = LoadGroupScheduling(config, log)
    find_group = scheduling._split_scope
    scheduling._split_scope = lambda test: find_group(test).partition("::")[0]
    return scheduling


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files, then compare")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Return the content of a golden file; with --update-golden, write it first."""

    def read(path: Path, content: str) -> str:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8")
        assert path.exists(), f"{path.name} is missing: run pytest --update-golden to write it"
        return path.read_text(encoding="utf-8")

    return read


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Launch chromium; skip the test if there is none."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is missing: pip install '.[browser]'"
    )
    if CHROMIUM is None:
        pytest.skip("there is no chromium here: apt-get install chromium, or say where it is in CHROMIUM")
    with playwright.sync_playwright() as play:
        # As root chromium has no sandbox of its own; the only page it opens is ours.
        launched = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Opener]:
    """Open a file in a new browser context."""
    contexts = []

    def open_page(path: Path, place: str = "", width: int = 1280, **options: Any) -> Opened:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, reduced_motion="reduce", **options
        )
        contexts.append(context)
        context.set_default_timeout(15_000)
        window = Opened(context.new_page())
        window.page.on("request", lambda request: window.requests.append(request.url))
        window.page.on("pageerror", lambda error: window.troubles.append(str(error)))
        window.page.on("console", lambda line: window.troubles.append(line.text))
        window.page.on("dialog", window.dismiss)
        window.page.goto(path.as_uri() + place)
        return window

    yield open_page
    for context in contexts:
        context.close()


for size in ("COLUMNS", "LINES"):
    os.environ.pop(size, None)  # pytest-xdist sets them; commands print as into a pipe
