"""The tables of a run besides its ratings, each of one thing."""

from collections.abc import Callable, Mapping
from typing import Final, Literal, get_args

from arena.rating import fit_elo
from arena.report.pairs import cycles, matrix, third_parties
from arena.report.profiles import variants
from arena.report.rating_table import named
from arena.report.seats import seats
from arena.report.table_formats import Report
from arena.tournament.review.seat_effects import SeatMeans, control, seat_means
from arena.tournament.running.run import Run
from arena.tournament.storage.tally import Game, Tally
from arena.tournament.workers.block_player import BlockPlayer
from arena.tournament.workers.isolation_plan import choose_levels

Aspect = Literal["matrix", "seats", "variants", "cycles", "third"]
ASPECTS: Final = get_args(Aspect)


def of_games(tallies: Mapping[Game, Tally], name: str | None) -> dict[Game, Tally]:
    """The tallies of one game, named with its options or without; of all games without a name.

    Raises: ConfigError, if there is none.
    """
    names = {variant for variant, _ in tallies}
    wanted = named(names, name) if name else names
    return {game: tally for game, tally in tallies.items() if game[0] in wanted}


def report(run: Run, tallies: Mapping[Game, Tally], aspect: Aspect, control_blocks: int) -> Report:
    """A table of the games given; for the seats, with so many blocks of one bot in all seats, played now.

    Raises: ConfigError, if the bot may not be played here.
    """
    if aspect == "seats":
        return _seats(run, tallies, control_blocks)
    of_pairs: dict[Aspect, Callable[[Mapping[Game, Tally]], Report]] = {
        "matrix": matrix,
        "variants": variants,
        "cycles": cycles,
        "third": third_parties,
    }
    return of_pairs[aspect](tallies)


def _seats(run: Run, tallies: Mapping[Game, Tally], control_blocks: int) -> Report:
    player = BlockPlayer(run.plan())
    played = (
        (block, result) for block, result in run.outcomes() if (block.variant, block.players) in tallies
    )
    means = seat_means(played, player.rules, run.seed)
    alike: dict[Game, tuple[str, SeatMeans]] = {}
    if control_blocks:
        choose_levels(run.config)  # may its bots be played here?
        for (variant, players), tally in tallies.items():
            best = tally.bots[fit_elo(tally.sums()).ranking[0]]
            blocks = control(player, variant, players, best, control_blocks)
            own = seat_means(blocks, player.rules, run.seed)
            alike[variant, players] = (best, own[variant, players])
        player.close()
    return seats(means, alike)
