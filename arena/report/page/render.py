"""The page as HTML: one file that needs no other, whose scripts touch nothing but it."""

from __future__ import annotations

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


def report_html(shown: Sequence[ReplayData], **values: Any) -> str:
    """The page of a run with the matches that can be watched; the values are those its template names."""
    return _rendered("report.html", shown=shown, **values)


def replay_html(shown: ReplayData) -> str:
    """The page of one match."""
    title = f"{shown.game}, match {shown.number}"
    return _rendered("replay.html", title=title, shown=[shown])


def _rendered(template: str, *, shown: Sequence[ReplayData], **values: Any) -> str:
    environment = Environment(
        loader=PackageLoader("arena.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scripts = [*SCRIPTS, *(VIEWER_SCRIPTS if shown else ())]
    page = environment.get_template(template).render(
        version=__version__,
        style=_assets("style", STYLES, "css"),
        script=_assets("script", scripts, "js"),
        matches=Markup(to_script_json(shown)),
        shown=shown,
        **values,
    )
    return page if page.endswith("\n") else f"{page}\n"


def _assets(folder: str, names: Sequence[str], ending: str) -> Markup:
    """Files of the package one after the other, as they are."""
    texts = [
        (files("arena.report.page") / folder / f"{name}.{ending}").read_text(encoding="utf-8")
        for name in names
    ]
    return Markup("\n".join(texts))
