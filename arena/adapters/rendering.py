"""Matches as text, for the render modes `ansi` and `human`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from arena.errors import ConfigError, suggest_nearest
from arena.games import Match
from arena.output.texts.review import format_deal, format_result

RENDER_MODES: Final = ("ansi", "human")


def check_render_mode(mode: str | None) -> None:
    """Raise ConfigError if there is no such render mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise ConfigError(f"no render mode {mode!r}: {suggest_nearest(str(mode), RENDER_MODES)}")


def render_match(match: Match, names: Sequence[str]) -> str:
    """Return the transcript of the deal being played, or of the last one and the match's result."""
    parts = [format_deal(match.deal, names)]
    if match.is_over:
        parts += format_result(match.finished_deals, names)
    return "\n\n".join(parts)


def print_match(match: Match, names: Sequence[str]) -> None:
    """Print the same."""
    click.echo(render_match(match, names) + "\n")


def print_finished_deals(match: Match, names: Sequence[str], printed: int) -> int:
    """Print the deals that are over, beyond those printed; return how many are."""
    for deal in match.finished_deals[printed:]:
        click.echo(format_deal(deal, names) + "\n")
    if match.is_over and printed < len(match.finished_deals):
        click.echo("\n\n".join(format_result(match.finished_deals, names)) + "\n")
    return len(match.finished_deals)
