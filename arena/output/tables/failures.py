"""The table of failures: each distinct one with its reason, and who was disqualified for them."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from arena.columns.column import Column
from arena.columns.kinds import NAME, TEXT


class FailureRow(NamedTuple):
    """A failure of a bot, or its disqualification."""

    bot: str
    fault: str
    times: int | None
    """None for a disqualification."""
    reason: str


FAILURE_COLUMNS: Final[tuple[Column[FailureRow], ...]] = (
    Column("bot", kind=NAME),
    Column("fault", kind=TEXT),
    Column("times", missing=""),
    Column("reason", kind=TEXT),
)


def list_failures(failures: Mapping[Any, int], disqualified: Mapping[str, int] = {}) -> list[FailureRow]:
    """Return a row for each distinct failure, and one for each bot that was disqualified, by bot.

    Args:
        failures: Their numbers by bot, kind and reason.
        disqualified: The block from which on a bot is out.
    """
    rows = [FailureRow(bot, kind, times, reason) for (bot, kind, reason), times in failures.items()]
    rows += [
        FailureRow(bot, "disqualified", None, f"from block {at:,} on") for bot, at in disqualified.items()
    ]
    return sorted(rows, key=lambda row: row.bot)
