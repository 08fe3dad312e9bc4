"""Arguments that several commands take."""

from pathlib import Path
from typing import Any

import click


def _settings(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, Any]:
    """Options of a variant by name: `tokens=5`, `alow=true`, `flush=point`."""
    settings = {}
    for text in texts:
        key, _, value = text.partition("=")
        if not (key and value):
            raise click.BadParameter(f"{text!r} sets nothing: write KEY=VALUE, such as tokens=5.", ctx, param)
        settings[key] = _value(value)
    return settings


def _value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        return text


set_option = click.option(
    "settings",
    "--set",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_settings,
    help="Set an option of the variant; may be repeated.",
)
store_option = click.option(
    "--store",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default="submissions",
    envvar="ARENA_STORE",
    show_default="ARENA_STORE, or submissions/",
    help="Where submitted bots are kept.",
)
json_option = click.option("as_json", "--json", is_flag=True, help="Print JSON, for programs.")
