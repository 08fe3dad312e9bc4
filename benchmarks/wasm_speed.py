"""What does a WebAssembly module cost? Decisions per second, beside `greedy` inline, which decides the same.

    .venv/bin/python -m benchmarks.wasm_speed

Four seats of the C bot in examples, at the level `wasm` and in processes, with views as integers and as JSON:
the module of the second is compiled here, by clang. CPU time of the arena and of the bots' processes counts.
All are measured in turn; medians of the rounds.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click
from tabulate import tabulate

from arena.games import Rules, variant
from arena.play.bot import MODULE_MATCHES, make_factory
from arena.play.bot_processes import ProcessPool, make_launch_spec
from arena.play.referee import raise_gc_threshold
from arena.plugins import BotSpec, FolderBot
from arena.tournament.engine.cores import pin_to_one_core
from arena.tournament.engine.machine import UNHURRIED, SpeedTable
from benchmarks.hosted_speed import SEATS, measure_hosted, measure_inline

EXAMPLES = Path(__file__).parents[1] / "examples"
COLUMNS = ("greedy", "decisions/s", "ratio", "µs a decision")


def compile_json(folder: Path) -> FolderBot:
    """Return the bot in C that is sent JSON, compiled into a folder."""
    shutil.copyfile(EXAMPLES / "wasm/bot.toml", folder / "bot.toml")
    source = str(EXAMPLES / "wasm-languages/json.c")
    options = ["--target=wasm32", "-O2", "-nostdlib", "-Wl,--no-entry,-s,-z,stack-size=8192"]
    subprocess.run(["clang", *options, "-o", str(folder / "bot.wasm"), source], check=True)
    return FolderBot(str(folder))


def measure(
    rules: Rules, sources: dict[str, FolderBot], seconds: float, rounds: int
) -> dict[str, list[float]]:
    """Return the seconds of CPU time per decision of `greedy` inline and of each bot, after a warm-up."""
    measured: dict[str, list[float]] = {}
    tables = {"inline": SpeedTable.of_bot(rules, "greedy")}
    pools: dict[str, ProcessPool] = {}
    for name, source in sources.items():
        tables[f"wasm, {name}"] = SpeedTable(rules, SEATS, make_factory(source.load()))
        spec = make_launch_spec(BotSpec(source, name), "process")
        pools[f"process, {name}"] = ProcessPool({name: spec}, UNHURRIED, SEATS)
    try:
        with pin_to_one_core(), raise_gc_threshold():
            for _ in range(rounds + 1):
                for name, table in tables.items():
                    measured.setdefault(name, []).append(measure_inline(table, seconds))
                for name, pool in pools.items():
                    bot = name.partition(", ")[2]
                    spent = measure_hosted(rules, bot, pool, seconds, MODULE_MATCHES)
                    measured.setdefault(name, []).append(sum(spent))
    finally:
        for pool in pools.values():
            pool.close()
    assert not any(table.faults for table in tables.values())
    return {name: values[1:] for name, values in measured.items()}


@click.command(help=__doc__)
@click.option("--variant", "name", default="lives", show_default=True)
@click.option("--seconds", default=1.0, show_default=True, help="CPU time for a measurement.")
@click.option("--rounds", default=7, show_default=True)
def main(name: str, seconds: float, rounds: int) -> None:
    with TemporaryDirectory() as folder:
        sources = {"integers": FolderBot(str(EXAMPLES / "wasm"))}
        if shutil.which("clang"):
            sources["JSON"] = compile_json(Path(folder))
        measured = measure(variant(name), sources, seconds, rounds)
    rows = [
        [
            place,
            f"{1 / median(values):,.0f}",
            f"{median(a / b for a, b in zip(measured['inline'], values, strict=True)):.2f}",
            f"{1e6 * median(values):.1f}",
        ]
        for place, values in measured.items()
    ]
    click.echo(tabulate(rows, COLUMNS, disable_numparse=True, colalign=["left", *["right"] * 3]))


if __name__ == "__main__":
    main()
