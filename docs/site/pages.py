"""Pages of the documentation site that are not in docs/: a hook of MkDocs.

The README is the home page; other files outside docs/ keep their paths in the repository; each public package
gets a page made from its docstrings.
"""

import posixpath
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mkdocs.structure.files import File, Files

from arena.playground.page import write_playground

ROOT: Final = Path(__file__).parents[2]
PLAYGROUND: Final = "playground/index.html"
PLAYGROUND_LINK: Final = f"\n[Open the playground of this site]({PLAYGROUND}).\n"
PYODIDE: Final = ROOT / "node_modules/pyodide"
PACKAGES: Final = (
    *("arena", "arena.games", "arena.games.authoring"),
    *("arena.play", "arena.rating", "arena.adapters"),
)
TOKENS: Final = "arena/output/pages/style/tokens.css"
"""The colours and type of all pages of the arena."""
PAGES: Final = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
LINK: Final = re.compile(r"(\]\()([^)#\s:]+)(?=[#)])")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages, and the files that they link to."""
    others = [path for path in sorted(ROOT.glob("examples/**/*")) if path.is_file()]
    for path in [*(ROOT / name for name in PAGES), *others]:
        name = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, site_path(name), abs_src_path=str(path)))
    files.append(File.generated(config, "site/tokens.css", abs_src_path=str(ROOT / TOKENS)))
    if PYODIDE.is_dir():
        with TemporaryDirectory() as folder:
            [page] = write_playground(Path(folder, "index.html"), PYODIDE)
            files.append(File.generated(config, PLAYGROUND, content=page.read_bytes()))
    for package in PACKAGES:
        files.append(File.generated(config, f"api/{package}.md", content=api_page(package)))
    return files


def api_page(package: str) -> str:
    """Return the page of a package, with its modules where those are what is used."""
    page = f"# {package}\n\n::: {package}\n"
    if package in ("arena.adapters", "arena.rating"):
        folder = ROOT / package.replace(".", "/")
        for path in sorted([*folder.glob("[!_]*.py"), *folder.glob("open_spiel")]):
            options = "    options:\n      heading_level: 3\n"
            page += f"\n## {package}.{path.stem}\n\n::: {package}.{path.stem}\n{options}"
    return page


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Change links, which are relative to the file in the repository, to be relative to its page."""
    source = page.file.src_uri
    if source.startswith("api/"):
        return markdown
    if source == "playground.md" and PYODIDE.is_dir():
        markdown += PLAYGROUND_LINK
    home = posixpath.dirname(repository_path(source))

    def move(link: re.Match[str]) -> str:
        target = site_path(posixpath.normpath(posixpath.join(home, link[2])))
        return link[1] + posixpath.relpath(target, posixpath.dirname(source) or ".")

    return LINK.sub(move, markdown)


def site_path(path: str) -> str:
    """Return the path in the site of a file or folder in the repository."""
    if (ROOT / path).is_dir():
        path += "/README.md"
    return "index.md" if path == "README.md" else path.removeprefix("docs/")


def repository_path(path: str) -> str:
    """Return the path in the repository of a page."""
    if path == "index.md":
        return "README.md"
    return path if path in PAGES or path.startswith("examples/") else f"docs/{path}"
