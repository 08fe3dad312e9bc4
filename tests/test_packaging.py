"""Installing with `make` and pip: playing needs neither compiler nor test tools."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from zipfile import ZipFile

import pytest

import arena

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    str(path.relative_to(ROOT))
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if "\n```python\n" in path.read_text(encoding="utf-8")
]
OPTIONAL_PACKAGE = re.compile(r'"(?!arena)[\w.]+".*  \[import-(not-found|untyped)\]|: note: ')
BUILD_REQUIREMENTS = (
    "import setuptools.build_meta as b; print(b.get_requires_for_build_{}(), file=open(1, 'w'))"
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a copy of the project with what a clone has at its top."""
    tracked = ("LICENSE", "Makefile", "README.md", "mypyc.ini", "pyproject.toml", "setup.py")
    for file in tracked:
        shutil.copy(ROOT / file, tmp_path)
    for package in ("arena", "bots"):
        ignored = shutil.ignore_patterns("*.so", "__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    for folder in ("docs", "configs", "examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


def run(source: Path, *words: str, **environment: str) -> str:
    """Run a command in the copy and return what it prints."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("ARENA_", "MAKE"))}
    return subprocess.run(
        words, cwd=source, env={**env, **environment}, check=True, text=True, stdout=subprocess.PIPE
    ).stdout


@pytest.mark.skipif(not shutil.which("make"), reason="make is needed")
def test_make_run_installs_only_what_playing_needs(source: Path) -> None:
    commands = run(source, "make", "-n", "run")
    assert "--editable .\n" in commands
    assert "[dev]" not in commands
    assert "build_ext" not in commands
    assert commands.endswith("arena run\n")


@pytest.mark.skipif(not shutil.which("make"), reason="make is needed")
def test_make_run_never_plays_with_older_compiled_modules(source: Path) -> None:
    (source / ".venv").mkdir()
    (source / ".venv/.compiled").touch()
    assert "build_ext" in run(source, "make", "-n", "run")


@pytest.mark.skipif(not shutil.which("make"), reason="make is needed")
def test_make_test_installs_all_at_once_and_compiles(source: Path) -> None:
    commands = run(source, "make", "-n", "test")
    assert commands.count(" pip install ") == 1
    assert commands.index("'.[dev]'") < commands.index("build_ext")


@pytest.mark.parametrize("target", ["wheel", pytest.param("editable", marks=pytest.mark.full)])
def test_mypy_is_installed_only_to_compile(source: Path, target: str) -> None:
    ask = (sys.executable, "-c", BUILD_REQUIREMENTS.format(target))
    assert run(source, *ask, ARENA_COMPILE="no").splitlines()[-1] == "[]"
    assert "mypy" in run(source, *ask).splitlines()[-1]


@pytest.mark.parametrize("mode", [pytest.param("", marks=pytest.mark.full), "require"])
def test_a_build_that_cannot_compile_leaves_the_reason_or_fails(source: Path, mode: str) -> None:
    older = source / f"arena/games/deal{EXTENSION_SUFFIXES[0]}"
    older.touch()
    setup = (
        "import runpy, sys; sys.modules['mypyc'] = None; sys.argv = ['setup.py', 'build_ext', '--inplace']"
    )
    build = [sys.executable, "-c", f"{setup}; runpy.run_path('setup.py', run_name='__main__')"]
    built = subprocess.run(build, cwd=source, env={**os.environ, "ARENA_COMPILE": mode}, capture_output=True)
    assert (built.returncode == 0) == (mode == "")
    assert older.exists() == (mode == "require")
    reason = source / "arena/games/compile_failure.txt"
    assert reason.exists() == (mode == "")
    assert mode or "mypyc" in reason.read_text()


@pytest.mark.full
def test_examples_pass_mypy_strict_in_a_project_of_their_own(tmp_path: Path) -> None:
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        code = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
        (tmp_path / f"{Path(document).stem.lower().replace('-', '_')}_page.py").write_text(code)
    mypy = (sys.executable, "-m", "mypy", "--strict", "--config-file=", ".")
    env = {**os.environ, "MYPYPATH": str(ROOT)}  # as an editable install has it
    checked = subprocess.run(mypy, cwd=tmp_path, env=env, text=True, stdout=subprocess.PIPE)
    *lines, summary = checked.stdout.splitlines()
    wrong = [line for line in lines if re.match(r"\w+_page\.py", line) and not OPTIONAL_PACKAGE.search(line)]
    assert wrong == []
    assert summary.startswith(("Success", "Found"))


def test_installed_editable_the_project_is_a_path_that_type_checkers_follow(source: Path) -> None:
    write = "import setuptools.build_meta as backend; print(backend.build_editable('.'))"
    wheel = run(source, sys.executable, "-c", write, ARENA_COMPILE="no").splitlines()[-1]
    names = ZipFile(source / wheel).namelist()
    assert any(name.endswith(".pth") for name in names)
    assert not any("finder" in name for name in names)


def test_wheel_has_the_docs_and_the_templates(source: Path) -> None:
    write = "import setuptools.build_meta as backend; print(backend.build_wheel('.'))"
    wheel = run(source, sys.executable, "-c", write, ARENA_COMPILE="no").splitlines()[-1]
    archive = ZipFile(source / wheel)
    names = set(archive.namelist())
    (metadata,) = (name for name in names if name.endswith("/METADATA"))
    assert (ROOT / "README.md").read_text(encoding="utf-8") in archive.read(metadata).decode()
    pages = {page.name for page in (ROOT / "README.md", *ROOT.glob("docs/*.md"))}
    assert {name for name in names if name.startswith("arena/docs/")} == {
        f"arena/docs/{page}" for page in pages
    }
    setup, templates = "arena/tournament/setup", "arena/plugins/templates"
    assert {f"{setup}/template.toml", f"{setup}/quick.toml", f"{templates}/c/Makefile"} < names
    copied = {path.name for path in (ROOT / "examples/python").glob("*.*")}
    assert {name for name in names if name.startswith(f"{templates}/python/")} == {
        f"{templates}/python/{name}" for name in copied
    }


def test_source_distribution_has_no_stray_files(source: Path) -> None:
    for file in ("MANIFEST.in", "CHANGELOG.md"):
        shutil.copy(ROOT / file, source)
    (source / "tests").mkdir()
    (source / "tests/test_any.py").touch()  # setuptools would take the tests at the top alone
    write = "import setuptools.build_meta as backend; print(backend.build_sdist('.'))"
    archive = run(source, sys.executable, "-c", write, ARENA_COMPILE="no").splitlines()[-1]
    with tarfile.open(source / archive) as opened:
        files = [Path(member.name).parts[1:] for member in opened if member.isfile()]
    assert {parts[0] for parts in files} == {
        *(
            "arena",
            "bots",
            "configs",
            "docs",
            "examples",
            "CHANGELOG.md",
            "LICENSE",
            "MANIFEST.in",
            "README.md",
        ),
        *("PKG-INFO", "commerce_arena.egg-info", "mypyc.ini", "pyproject.toml", "setup.cfg", "setup.py"),
    }
    assert {Path(*parts).suffix for parts in files if parts[0] == "docs"} == {".md"}


def test_extras_have_names_that_every_pip_finds_and_messages_name_them() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert [name for name in extras if not re.fullmatch("[a-z-]+", name)] == []
    sources = [path for folder in ("arena", "bots", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in (*sources, *(ROOT / "docs").glob("*.md"))]
    named = {
        extra
        for text in texts
        for names in re.findall(
            r"commerce-arena\[([^{}\]]+)\]|import_optional\(\"[\w.]+\", \"(.+?)\"\)", text
        )
        for extra in "".join(names).split(",")
    }
    assert named - set(extras) == set()
    assert len(named) > 5


def test_the_versions_of_python_declared_are_those_tested_and_built() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = [
        classifier.rpartition(" ")[2]
        for classifier in project["project"]["classifiers"]
        if "Python :: 3." in classifier
    ]
    (readme,) = re.findall(r"tested with Python (.*?) \|", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert re.findall(r"3\.\d+", readme) == declared
    (tests,) = re.findall(
        r"python: \[(.*)\]", (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    )
    assert re.findall(r"3\.\d+", tests) == declared
    wheels = project["tool"]["cibuildwheel"]["build"]
    assert wheels == [f"cp{version.replace('.', '')}-*" for version in declared]


def test_the_completion_of_the_readme_completes_commands() -> None:
    (variable,) = set(re.findall(r"_[A-Z_]+=bash_source", (ROOT / "README.md").read_text(encoding="utf-8")))
    name = variable.partition("=")[0]
    words = {"COMP_WORDS": "arena rep", "COMP_CWORD": "1", name: "bash_complete"}
    call = "from arena.cli import main; main(prog_name='arena')"
    output = subprocess.check_output([sys.executable, "-c", call], env={**os.environ, **words}, text=True)
    assert set(output.split()) == {"plain,replay", "plain,report"}


def test_citation_and_examples_name_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    page = (ROOT / "docs/statistics.md").read_text(encoding="utf-8")
    assert f"\nversion: {arena.__version__}\n" in citation
    assert f"{{{arena.__version__}}}" in page
    named = {
        version
        for file in (ROOT / "examples").glob("*/*.yml")
        for version in re.findall(r"commerce_arena-(.*)\.tar\.gz", file.read_text(encoding="utf-8"))
    }
    assert named == {arena.__version__}
