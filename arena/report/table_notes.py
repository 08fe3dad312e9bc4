"""What has to be said of a table of ratings besides its numbers."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Final

from arena.rating import find_connected_groups, fit_elo
from arena.tournament.running.run import Run
from arena.tournament.storage.metadata import SHOWN, find_changed_bots, find_changed_rules
from arena.tournament.storage.tally import Game, Tally

MOST_NAMES: Final = 6  # of a group
ONE_SIDED: Final = "these gave each other nothing or everything"
ALIKE: Final = "all blocks between these went alike"


def remarks(tallies: Mapping[Game, Tally]) -> list[str]:
    """Which bots do not compare, and what duplicate deals were worth; a paragraph each."""
    several = len(tallies) > 1
    apart = [line for game, tally in tallies.items() for line in _apart(*game, tally, several=several)]
    worth = {game: tally.duplicate_worth() for game, tally in tallies.items()}
    saved = [f"{value:.2f} at {_named(*game)}" for game, value in worth.items() if value]
    if saved:
        saved = [f"A match of a block was worth so many on fresh deals: {', '.join(saved)}."]
    return ["\n".join(lines) for lines in (apart, saved) if lines]


def versions_note(run: Run) -> str:
    """Which versions of rules and bots the ratings are of, and which of them are others by now."""
    rules = [f"{variant} {number}" for variant, number in run.metadata.rules.items()]
    bots = [f"{name} {made_of[:SHOWN]}" for name, made_of in run.metadata.bots.items()]
    note = f"Of the rules {_listed(rules)}, and the bots {_listed(bots)}."
    changed = [*find_changed_bots(run.metadata, run.config), *find_changed_rules(run.metadata, run.config)]
    if not changed:
        return note
    again = f"`arena run {quote(str(run.folder.config))} --reuse {quote(str(run.folder.path))}`"
    return f"{note}\nChanged since: {_listed(changed)}; {again} plays again what hangs on that."


def _apart(variant: str, players: int, tally: Tally, *, several: bool) -> Iterator[str]:
    """A sentence where a field does not hang together."""
    sums = tally.sums()
    groups = [group for group in find_connected_groups(sums.points()) if sums.matches[group[0]]]
    where = _named(variant, players)
    if len(groups) > 1:
        names = " – ".join(_listed([sums.bots[bot] for bot in group]) for group in groups)
        so = ", so there is no overall" if several else ""
        yield (
            f"At {where} these never met, directly or over others, and their Elo do not compare{so}: {names}."
        )
    fit = fit_elo(sums)
    for apart, why in ((fit.comparable_groups, ONE_SIDED), (fit.varied_groups, ALIKE)):
        inner = [group for group in apart if any(fit.score[bot] not in (0, 1, None) for bot in group)]
        if len(inner) > len(groups):
            names = " – ".join(_listed([sums.bots[bot] for bot in group]) for group in inner)
            yield (
                f"At {where} {why}, so how far they are apart is a guess, "
                f"and ± is about the mean of each: {names}."
            )
            return


def _named(variant: str, players: int) -> str:
    return f"{variant}, {players} players"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names if more <= 0 else [*names[:MOST_NAMES], f"{more} more"])
