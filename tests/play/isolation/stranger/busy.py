"""A bot that uses what an honest one may: threads, an event loop, random numbers, its own files."""

import asyncio
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def main(arguments: list[str]) -> None:
    """Says `well` if all of it works."""
    with ThreadPoolExecutor(8) as pool:
        squares = list(pool.map(lambda number: number * number, range(8)))
    assert squares[-1] == 49
    assert asyncio.run(waited()) == "waited"
    assert random.SystemRandom().random() < 1
    assert "honest" in Path(__file__).read_text(encoding="utf-8")
    assert len(bytearray(64 << 20)) == 64 << 20
    sys.stdout.write("well\n")


async def waited() -> str:
    await asyncio.sleep(0.001)
    return await asyncio.get_running_loop().run_in_executor(None, lambda: "waited")


if __name__ == "__main__":
    main([])
