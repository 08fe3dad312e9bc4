"""Fit when seats knock in the playouts of `expert`: `python -m bots.exchange_training --seed 1`.

In most games of the exchange family the fast `tuned` of the playouts has the constants of `tuned` or
`counter`. At `schwimmen` and `stop-the-bus` between two these knock too late. There the chance at which a
seat knocks is fitted in compiled deals: the best reply to `counter`, the best reply to that, and so on, until
one is the best reply to itself.
"""

from pathlib import Path
from typing import Final

import click
import msgspec

from arena.games import variant
from bots.exchange_search import CONSTANTS_FILE
from bots.tuned import Constants
from bots.tuned_training import START, CompiledDeals

FITTED: Final = {"schwimmen": (2,), "stop-the-bus": (2,)}
"""Numbers of players for which constants are fitted, by variant."""
KNOCKS: Final = [place / 20 for place in range(20)]
"""Chances at which to knock that are tried."""
DEALS: Final = 100_000
"""Number of deals that each chance plays from every seat."""


def fit(name: str, seats: int, seed: str, count: int) -> Constants:
    """Return the constants of `START` with the chance to knock that is the best reply to itself.

    Where the best replies form a cycle, it is the first of them that comes again.

    Args:
        name: The variant.
        seats: Number of seats in the deal.
        seed: Decides the deals; the same seed gives the same constants.
        count: Number of deals that each chance plays from every seat.
    """
    deals = CompiledDeals(variant(name), seats, count)
    constants, replies = START, [START.knock]
    while len(set(replies)) == len(replies):
        deals.set_seeds(f"{seed}/{len(replies)}")
        constants = find_best_reply(deals, constants)
        replies.append(constants.knock)
    return constants


def find_best_reply(deals: CompiledDeals, others: Constants) -> Constants:
    """Return the constants with the chance to knock that loses fewest tokens against copies of `others`."""
    candidates = [msgspec.structs.replace(others, knock=knock) for knock in KNOCKS]
    theirs = msgspec.structs.astuple(others)
    return min(
        candidates, key=lambda candidate: deals.count_losses(msgspec.structs.astuple(candidate), theirs)
    )


@click.command()
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same constants.")
@click.option("--out", type=click.Path(path_type=Path), default=CONSTANTS_FILE, help="The file to write.")
def main(seed: str, out: Path) -> None:
    """Fit the constants of the playouts of `expert`, and write them as JSON."""
    fitted = {
        name: {seats: fit(name, seats, f"{seed}/{name}/{seats}", DEALS) for seats in numbers}
        for name, numbers in FITTED.items()
    }
    click.echo(str(fitted))
    out.write_bytes(msgspec.json.format(msgspec.json.encode(fitted)) + b"\n")


if __name__ == "__main__":
    main()
