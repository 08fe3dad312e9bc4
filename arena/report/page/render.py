"""Rendering of pages as single HTML files without external resources."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena import __version__
from arena.report.page.replay_data import ReplayData, to_script_json

STYLES: Final = ("page", "tables", "figures", "viewer")
SCRIPTS: Final = ("page", "tables")
VIEWER_SCRIPTS: Final = ("cards", "pictures", "match", "table", "viewer")


def render_report(replays: Sequence[ReplayData], **values: Any) -> str:
    """Return the page of a run with its replays; `values` are the variables of `report.html`."""
    return _render("report.html", replays=replays, **values)


def render_replay(replay: ReplayData) -> str:
    """Return the page of one match."""
    title = f"{replay.game}, match {replay.number}"
    return _render("replay.html", title=title, replays=[replay])


def _render(template: str, *, replays: Sequence[ReplayData], **values: Any) -> str:
    environment = Environment(
        loader=PackageLoader("arena.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scripts = [*SCRIPTS, *(VIEWER_SCRIPTS if replays else ())]
    page = environment.get_template(template).render(
        version=__version__,
        style=_assets("style", STYLES, "css"),
        script=_assets("script", scripts, "js"),
        matches=Markup(to_script_json(replays)),
        replays=replays,
        **values,
    )
    return page if page.endswith("\n") else f"{page}\n"


def _assets(folder: str, names: Sequence[str], ending: str) -> Markup:
    """Return the contents of asset files, concatenated."""
    texts = [
        (files("arena.report.page") / folder / f"{name}.{ending}").read_text(encoding="utf-8")
        for name in names
    ]
    return Markup("\n".join(texts))
