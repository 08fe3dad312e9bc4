"""The tuning of a bot, as text and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from statistics import fmean
from typing import Any, Final

import tomli_w
from msgspec.structs import asdict

from arena.columns.column import Column
from arena.columns.kinds import ELO, ELO_LEAD, INTEGER, PERCENT, TEXT, Kind
from arena.columns.number_format import format_count
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, format_sheet
from arena.plugins.bot_spec import BotSpec
from arena.tournament.designs.tuning import GameGain, Generation, Parameter, State, start_settings

SHOWN_GENERATIONS: Final = 12
"""Maximum number of generations listed in the terminal: the first, and the last ones."""
GAIN_COLUMNS: Final[tuple[Column[GameGain], ...]] = (
    Column("game", value=lambda row: row.variant or "all games", kind=TEXT),
    Column("players", value=lambda row: row.players if row.variant else None, missing=""),
    Column("start", kind=PERCENT),
    Column("best", kind=PERCENT),
    Column("gain in Elo", value=lambda row: row.elo, kind=ELO_LEAD),
    Column("±", value=lambda row: row.error, kind=ELO),
    Column("blocks"),
)
Numbered = tuple[int, Generation]


def tuning_text(state: State, bot: BotSpec, folder: Path, width: int | None = None) -> str:
    """Return the history, the comparison at the end, and the best settings as lines for a config."""
    parts = [format_sheet(history_sheet(state, SHOWN_GENERATIONS), width=width)]
    if state.gains:
        parts += [format_sheet(gain_sheet(state), width=width), *_verdict(state)]
        parts += [_snippet(state, bot)] if _is_recommended(state) else []
    else:
        parts.append(f"Stopped early; run the same command to continue the search in {quote(str(folder))}.")
    return "\n\n".join(parts)


def tuning_fields(state: State, bot: BotSpec) -> dict[str, Any]:
    """Return the history and the result for programs, shares in percent."""
    return {
        "bot": bot.name,
        "seed": state.terms.seed,
        "parameters": state.terms.parameters,
        "start": start_settings(state.terms.parameters),
        "best": state.generations[-1].mean if state.generations else None,
        "generations": [
            {**asdict(generation), "scores": [100 * score for score in generation.scores]}
            for generation in state.generations
        ],
        "gains": [
            {**asdict(gain), "start": 100 * gain.start, "best": 100 * gain.best} for gain in state.gains
        ],
        "faults": state.faults,
        "finished": bool(state.gains),
    }


def history_sheet(state: State, most: int | None = None) -> Sheet:
    """Return the generations: the settings at the mean of the search, and the scores of the candidates."""
    numbered = list(enumerate(state.generations, 1))
    shown = numbered if most is None or len(numbered) <= most else [numbered[0], *numbered[1 - most :]]
    has_faults = any(any(generation.faults) for generation in state.generations)
    left_out = len(numbered) - len(shown)
    notes = ["Scores of different generations cannot be compared: each plays other deals."]
    if left_out:
        notes.append(f"{format_count(left_out, 'generations')} after the first are not shown.")
    if has_faults:
        notes.append("Faults count those of all candidates; the messages above name the settings.")
    faults = Column[Numbered]("faults", value=lambda row: sum(row[1].faults))
    columns = [
        Column[Numbered]("generation", value=lambda row: row[0], kind=INTEGER),
        *(_setting_column(parameter.name) for parameter in state.terms.parameters),
        Column[Numbered]("mean score", value=lambda row: fmean(row[1].scores), kind=PERCENT),
        Column[Numbered]("best score", value=lambda row: max(row[1].scores), kind=PERCENT),
        *([faults] if has_faults else []),
    ]
    return Sheet(
        "Settings at the mean of the search after each generation, and what its candidates scored",
        columns,
        shown,
        notes,
        full="the page tuning.html shows all",
    )


def _setting_column(name: str) -> Column[Numbered]:
    return Column(name, value=lambda row: row[1].mean[name], kind=Kind("g"))


def gain_sheet(state: State) -> Sheet:
    """Return the comparison of the best settings with the start on fresh deals."""
    notes = [NO_ERROR_NOTE] if any(gain.error is None for gain in state.gains) else []
    return Sheet("The best settings against the start, on fresh deals", GAIN_COLUMNS, state.gains, notes)


def _verdict(state: State) -> list[str]:
    gain = state.gains[-1]
    told = []
    if state.faults:
        told.append(f"The bot had {format_count(state.faults, 'faults')} in these matches.")
    if gain.elo is None:
        perfect = [score for score in (gain.start, gain.best) if score in (0, 1)] or [0]
        advice = f"choose {'stronger' if perfect[0] else 'weaker'} opponents with --against"
        return [*told, f"Scores of 0 or 100 % give no gain in Elo: keep the start, and {advice}."]
    if gain.error is None:
        return [*told, "The best settings and the start scored the same in every block: keep the start."]
    low, high = gain.elo - gain.error, gain.elo + gain.error
    if low > 0:
        told.append(f"Better by {gain.elo:.1f} Elo, between {low:.1f} and {high:.1f} with 95 % confidence.")
    elif high < 0:
        told.append(f"Worse by {-gain.elo:.1f} Elo: keep the start, and search longer or with more blocks.")
    else:
        told.append(
            f"No difference is shown (between {low:z.1f} and {high:z.1f} Elo with 95 % confidence). Raise "
            "--generations to search further, --final-blocks to measure more precisely."
        )
    return told


def best_so_far(state: State) -> str:
    """Return the settings at the mean of the last generation; empty before the first has ended."""
    means = [generation.mean for generation in state.generations]
    return (
        f"from {', '.join(f'{name} = {_number(value)}' for name, value in means[-1].items())}"
        if means
        else ""
    )


def _is_recommended(state: State) -> bool:
    """Return whether the best settings are at least not shown to be worse than the start."""
    gain = state.gains[-1]
    return gain.elo is not None and gain.error is not None and gain.elo + gain.error >= 0


def _snippet(state: State, bot: BotSpec) -> str:
    """Return the bot with the best settings as it stands in a config."""
    table = {
        "bot": str(bot.source),
        **bot.settings,
        **state.generations[-1].mean,
        "name": f"{bot.name}-tuned",
    }
    lines = tomli_w.dumps(table).splitlines()
    return f"In a config:\n\n  bots = [{{{', '.join(lines)}}}]"


def _number(value: float) -> str:
    return f"{value:g}"


def settings_by_share(parameters: Sequence[Parameter], state: State) -> dict[str, list[float]]:
    """Return where in its range each parameter was, in percent, at the start and after each generation."""
    percentages = {}
    for parameter in parameters:
        shares = [parameter.start_share]
        shares += [
            (mean.mean[parameter.name] - parameter.low) / (parameter.high - parameter.low)
            for mean in state.generations
        ]
        percentages[parameter.name] = [100 * share for share in shares]
    return percentages
