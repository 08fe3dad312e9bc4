"""The page as it is written, from a stand-in for Pyodide."""

import gzip
import subprocess
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import MissingPackage
from arena.league.folder import LeagueFolder
from arena.output.pages.page import PLAYGROUND
from arena.playground.page import PYODIDE_FILES, write_playground


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    """A folder with the files of Pyodide, empty, and a wheel of msgspec."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    (folder / "package.json").write_text('{"version": "314.0.7", "license": "MPL-2.0"}')
    (folder / "pyodide-lock.json").write_text('{"info": {"python": "3.14.2", "abi_version": "2026_0"}}')
    for name in PYODIDE_FILES:
        (folder / name).write_text(name)
    with zipfile.ZipFile(folder / "msgspec-1-cp314-cp314-pyemscripten_2026_0_wasm32.whl", "w") as wheel:
        wheel.writestr("msgspec/__init__.py", "")
    return folder


def test_parts_are_named_after_their_contents_and_the_same_again(pyodide: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    files = {path: path.read_bytes() for path in write_playground(out, pyodide)}
    stale = out / "parts/arena.zip.000000000000"
    stale.write_text("")
    assert {path: path.read_bytes() for path in write_playground(out, pyodide)} == files
    assert not stale.exists()
    [archive] = out.glob("parts/arena.zip.*")
    with zipfile.ZipFile(BytesIO(gzip.decompress(archive.read_bytes()))) as packed:
        names = set(packed.namelist())
    assert {"arena/playground/worker.py", "bots/plain.py", "pages/lives.html", "pages/viewer.html"} <= names
    assert {"msgspec/__init__.py", "click/__init__.py", "arena/web/script/play.js"} <= names
    assert not [name for name in names if name.endswith(".so") or name.startswith("arena/cli/c")]
    text = (out / "index.html").read_text()
    assert f'"path": "parts/{archive.name}"' in text
    assert "Pyodide 314.0.7, licence MPL-2.0" in text


def test_one_file_has_its_parts_and_names_no_other(pyodide: Path, tmp_path: Path) -> None:
    [out] = write_playground(tmp_path / "page.html", pyodide)
    text = out.read_text()
    for name in (*PYODIDE_FILES, "pyodide-lock.json", "arena.zip"):
        assert f'<script type="text/plain" id="part-{name}">' in text
    assert "/static/" not in text.partition('id="part-')[0].replace('"/static/', "")


def test_the_site_of_a_league_links_it_and_keeps_it(pyodide: Path, tmp_path: Path) -> None:
    league = LeagueFolder.create(tmp_path / "course", "A course", ["lives"])
    call = ["league", "site", str(league.path)]
    for options in (["--playground", "--pyodide", str(pyodide)], []):
        done = CliRunner().invoke(main, [*call, *options])
        assert done.exit_code == 0, done.output
        assert f'<a href="{PLAYGROUND}">Playground</a>' in (league.site / "index.html").read_text()
        assert (league.site / PLAYGROUND).is_file()


def test_an_error_names_the_command_that_installs_what_is_missing(
    pyodide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MissingPackage, match="npm install --no-save pyodide@314"):
        write_playground(tmp_path / "page.html", tmp_path)
    [wheel] = pyodide.glob("*.whl")
    wheel.unlink()
    failed = subprocess.CompletedProcess([], 1, "", "ERROR: no network")
    monkeypatch.setattr(subprocess, "run", lambda *args, **options: failed)
    with pytest.raises(MissingPackage, match=r"no network.*pip download .*pyemscripten_2026_0_wasm32"):
        write_playground(tmp_path / "page.html", pyodide)
