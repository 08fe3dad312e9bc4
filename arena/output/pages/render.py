"""Rendering of pages as single HTML files without external resources."""

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b, sha256
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena import __version__
from arena.games import Deal
from arena.output.pages.replay_data import ReplayData, replay_of_record, to_script_json
from arena.play.actions_of_other_bots import Suggestions
from arena.play.placing_chances import Chances
from arena.play.players import Note
from arena.tournament.records import FoundRecord

STYLES: Final = ("page", "tables", "figures", "viewer", "print")
SCRIPTS: Final = ("page", "tables")
VIEWER_SCRIPTS: Final = ("cards", "pictures", "match", "table", "curve", "viewer")
SERVER_LINKS: Final = "<!-- links of the server -->\n"
"""Comment in the navigation of pages, in whose place a server puts the links of its own pages."""
STEERING: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal, or turn the direction of the text after them."""


def render_report(replays: Sequence[ReplayData], **values: Any) -> str:
    """Return the page of a run with its replays; `values` are the variables of `report.html`."""
    return render_page("report.html", replays=replays, **values)


def render_bot(replays: Sequence[ReplayData], **values: Any) -> str:
    """Return the page of one bot with its replays; `values` are the variables of `bot.html`."""
    return render_page("bot.html", replays=replays, **values)


def render_replay_page(
    match: FoundRecord,
    deals: Sequence[Deal],
    others: Sequence[str] = (),
    suggestions: Sequence[Suggestions] | None = None,
    root: str = "",
    chances: Sequence[Sequence[Chances]] | None = None,
    notes: Sequence[Note] = (),
    about: str = "",
    frame: str = "",
) -> str:
    """Return the page of a record and its replayed deals.

    Args:
        match: The record.
        deals: Its deals, replayed.
        others: Bots whose choices are shown.
        suggestions: Their choices by deal and action.
        root: The Merkle root of the sealed run that the record is from.
        chances: Chances of the seats to be placed ahead, by deal and step.
        notes: Notes of the bots on their decisions.
        about: A sentence about where chances and choices are from.
        frame: Address at which other pages can show the match in a frame; empty if there is none.
    """
    replay = replay_of_record(match, deals[0].opening.rules, deals, others, suggestions, chances, notes)
    title = f"{replay.game}, match {replay.number}"
    return render_page("replay.html", title=title, replays=[replay], root=root, about=about, frame=frame)


def render_page(template: str, *, replays: Sequence[ReplayData], **values: Any) -> str:
    """Return a page made from a template; `values` are its variables."""
    scripts = (*SCRIPTS, *(VIEWER_SCRIPTS if replays else ()))
    page = (
        _environment()
        .get_template(template)
        .render(
            version=__version__,
            style=_assets("style", STYLES, "css"),
            script=_assets("script", scripts, "js"),
            matches=Markup(to_script_json(replays)),
            replays=replays,
            server_links=Markup(SERVER_LINKS),
            **values,
        )
    )
    return page if page.endswith("\n") else f"{page}\n"


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("arena.output.pages"),
        autoescape=True,
        finalize=_remove_steering,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _remove_steering(value: object) -> object:
    """Remove characters from a printed value that would turn or hide the text around it."""
    return value.__class__(STEERING.sub("", value)) if isinstance(value, str) else value


@cache
def page_resources_digest() -> str:
    """Return a digest of all templates, styles and scripts: pages made with the same look the same."""
    root = files("arena.output.pages")
    digest = blake2b(__version__.encode(), digest_size=16)
    for folder in ("templates", "style", "script"):
        for file in sorted((root / folder).iterdir(), key=lambda path: path.name):
            digest.update(file.read_bytes())
    return digest.hexdigest()


@cache
def script_hashes() -> tuple[str, ...]:
    """Return the hashes of the scripts inside pages, as a content security policy names them."""
    texts = (_assets("script", names, "js") for names in (SCRIPTS, (*SCRIPTS, *VIEWER_SCRIPTS)))
    return tuple(hash_script(f"\n{text}\n") for text in texts)  # as frame.html prints it


def hash_script(text: str) -> str:
    """Return the hash of a script as a content security policy names it."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _assets(folder: str, names: tuple[str, ...], ending: str) -> Markup:
    """Return the contents of asset files, concatenated."""
    texts = [
        (files("arena.output.pages") / folder / f"{name}.{ending}").read_text(encoding="utf-8")
        for name in names
    ]
    return Markup("\n".join(texts))
