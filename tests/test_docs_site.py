"""The documentation site: every page is in its navigation, and it works from disk without a network."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import arena
from tests.output.pages.browsing import Opened, Opener

ROOT = Path(__file__).parents[1]
CONFIG = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
NAVIGATION = re.findall(r"[\w./-]+\.md", CONFIG.partition("\nnav:")[2].partition("\ntheme:")[0])
OUTSIDE = {"index.md": "README.md", "CHANGELOG.md": "CHANGELOG.md", "CONTRIBUTING.md": "CONTRIBUTING.md"}
"""Pages that are not in docs/, each with its file."""
LOAD_TIMEOUT_MS = 120_000
"""On a busy machine the index of the search takes a while."""


def test_every_page_is_in_the_navigation_once() -> None:
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}
    written = {page for page in NAVIGATION if not page.startswith(("api/", "examples/"))}
    assert written == pages | set(OUTSIDE)
    assert len(NAVIGATION) == len(set(NAVIGATION))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built without a warning."""
    pytest.importorskip("mkdocs", reason="mkdocs is missing: pip install '.[docs]', as `make docs` does")
    folder = tmp_path_factory.mktemp("docs") / "site"
    build = (sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder))
    done = subprocess.run(
        build, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_the_reference_has_every_public_name(site: Path) -> None:
    page = (site / "api/arena.html").read_text(encoding="utf-8")
    ids = set(re.findall(r'id="([\w.]+)"', page))
    assert {f"arena.{name}" for name in arena.__all__} <= ids
    assert ">>> " not in re.sub(r"<pre.*?</pre>", "", page, flags=re.DOTALL)


def open_search(opened: Opener, page: Path) -> Opened:
    """Open a page and its search, which is ready when all scripts and the index have been loaded."""
    window = opened(page)
    window.page.set_default_timeout(LOAD_TIMEOUT_MS)
    window.page.locator("input.md-search__input").click()
    window.page.get_by_text("Type to start searching").wait_for()
    return window


@pytest.mark.parametrize("page", ["index.html", "api/arena.html", "games/lives.html"])
def test_search_works_from_disk_and_nothing_is_loaded_from_the_network(
    page: str, site: Path, opened: Opener
) -> None:
    window = open_search(opened, site / page)
    window.page.keyboard.type("anytime-valid errors")
    window.page.locator(".md-search-result__link").first.click()
    window.page.wait_for_url("**/statistics.html*")
    assert len(window.requests) > 1
    assert [url for url in window.requests if not url.startswith("file:")] == []
    assert window.troubles == []
