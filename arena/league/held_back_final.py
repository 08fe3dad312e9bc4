"""Finals that are held back: played, and shown to others one round at a time."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from arena.errors import ConfigError
from arena.league.folder import LeagueFolder
from arena.league.schema import HELD_FINAL_TABLE
from arena.league.store import FinalRun, LeagueDatabase
from arena.tournament.formats import Pairing
from arena.tournament.run import Run


class Reveal(NamedTuple):
    """The part of a final that others see."""

    final: FinalRun
    revealed: int
    """Rounds revealed."""
    rounds: int
    """Rounds played."""

    @property
    def is_complete(self) -> bool:
        """True if nothing is held back any more."""
        return self.revealed >= self.rounds


def hold_back(connection: sqlite3.Connection, number: int) -> None:
    """Hold back a final within a transaction: others see none of its results until they are revealed."""
    connection.execute(HELD_FINAL_TABLE)
    connection.execute("INSERT INTO held_final VALUES (?, 0)", [number])


def read_held(database: LeagueDatabase) -> dict[int, int]:
    """Return how many rounds are revealed of each final that is held back, by its number."""
    if not database.has_table("held_final"):
        return {}
    return dict(database.query("SELECT final, rounds FROM held_final"))


def reveal_rounds(folder: LeagueFolder, number: int | None = None, rounds: int | None = 1) -> Reveal:
    """Reveal further rounds of a final that is held back.

    Args:
        folder: Folder of the league.
        number: Number of the final; None for the latest one that is held back.
        rounds: How many rounds more; None for all.

    Raises:
        ConfigError: If no such final is held back, or it is not finished.
    """
    with LeagueDatabase.open(folder.path, "rw") as database:
        held = read_held(database)
        if not held or (number is not None and number not in held):
            which = "final" if number is None else f"final {number}"
            raise ConfigError(f"no {which} of the league is held back: hold one back with --hold-back")
        number = max(held) if number is None else number
        final = next(final for final in database.finals() if final.number == number)
        run = Run.open(folder.path / final.folder)
        if not run.is_over():
            raise ConfigError(
                f"final {number} is not finished: finish it with `arena resume {run.folder.path}`"
            )
        total = count_rounds(run)
        revealed = total if rounds is None else min(total, held[number] + rounds)
        with database.transaction() as connection:
            if revealed < total:
                query = "UPDATE held_final SET rounds = ? WHERE final = ?"
                connection.execute(query, [revealed, number])
            else:
                connection.execute("DELETE FROM held_final WHERE final = ?", [number])
    return Reveal(final, revealed, total)


def count_rounds(run: Run) -> int:
    """Return the number of rounds of a run that were begun."""
    return max((pairing.round for pairing in list_pairings(run)), default=0)


def list_pairings(run: Run, revealed: int | None = None) -> list[Pairing]:
    """Return the pairings of a run by round.

    Args:
        run: The run.
        revealed: Rounds whose results are public; of the next one the tables are, and of later ones nothing.
            None for all.
    """
    board = run.scoreboard()
    pairings = list(board.pairings or ()) if board else []
    if revealed is None:
        return pairings
    shown = [pairing for pairing in pairings if pairing.round <= revealed]
    coming = [_hide_result(pairing) for pairing in pairings if pairing.round == revealed + 1]
    return shown + sorted(coming, key=lambda row: (row.table is None, row.table or 0, row.bot))


def _hide_result(pairing: Pairing) -> Pairing:
    """Return a pairing as it was before its first block."""
    result = pairing.result if pairing.table is None else ""
    return pairing._replace(score=None, blocks=0, result=result, error=None)
