"""Write the hashes of the bots into the ladder that `arena grade` compares with.

    .venv/bin/python -m benchmarks.freeze_ladder

To be run when built-in bots have changed and the order of the rungs has been shown again, as by
`arena grade retuned --game cambio` for each rung. A ladder that was released gets a new name instead.
"""

from __future__ import annotations

from pathlib import Path

from arena.plugins import InstalledBot
from arena.tournament.setup import command_line

PATH = Path(command_line.__file__).with_name(f"{command_line.LADDER}.toml")
HEADING = "[hashes]\n"


def main() -> None:
    text = PATH.read_text(encoding="utf-8")
    bots = sorted({bot for rungs in command_line.read_ladder().rungs.values() for bot in rungs})
    lines = "".join(f'{bot} = "{InstalledBot(bot).digest()}"\n' for bot in bots)
    PATH.write_text(text[: text.index(HEADING)] + HEADING + lines, encoding="utf-8")


if __name__ == "__main__":
    main()
