"""Load test of the live events of a league's server, while the league is updated.

    python -m benchmarks.live_load

1,000 clients follow `/api/live/events` for a minute; others open `/live` and the first page meanwhile.
Printed: how long the first events took to reach all, how long a change took from the first client that got it
to the last, what was lost, how long pages took, and the memory of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import click

from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.results import LeagueResults
from arena.league.store import LeagueDatabase
from benchmarks.server_load import PAGES, describe, measure_pages, memory_mb, raise_descriptor_limit, send
from benchmarks.server_process import ServerProcess

BOTS: Final = ("random", "stand-pat", "thrifty", "prudent", "greedy", "counter", "simple", "tuned")
SETTLE_S: Final = 5.0
"""Seconds at the end in which events may still reach clients; those that begin later are not counted."""


@dataclass
class Arrivals:
    """The times at which the clients got each event."""

    times: dict[bytes, list[float]] = field(default_factory=dict)
    """Seconds by digest of the event, one for each client."""
    kinds: dict[bytes, bytes] = field(default_factory=dict)
    latest: dict[int, dict[bytes, bytes]] = field(default_factory=dict)
    """Digest of the last event of each kind, by client."""
    total_bytes: int = 0

    def add(self, client: int, kind: bytes, data: bytes) -> None:
        """Note that a client got an event."""
        digest = sha256(kind + data).digest()
        self.times.setdefault(digest, []).append(time.perf_counter())
        self.kinds[digest] = kind
        self.latest.setdefault(client, {})[kind] = digest
        self.total_bytes += len(data)


def main() -> None:
    """Start a server, follow it, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    raise_descriptor_limit()
    with TemporaryDirectory() as folder:
        league = LeagueFolder.create(Path(folder, "league"), "", ["lives"])
        with LeagueDatabase.open(league.path, "rw") as database:
            for bot in BOTS:
                submit(league, database, bot, Path())
        server = ServerProcess(league.path)
        server.start()
        command = [sys.executable, "-m", "arena", "league", "update", str(league.path), "--quiet"]
        with Path(folder, "update.log").open("wb") as log:
            update = subprocess.Popen([*command, "--jobs", "1"], stdout=log, stderr=log)
        try:
            _wait_for_blocks(league)
            click.echo(f"memory at the start: {memory_mb(server):.0f} MB")
            asyncio.run(_load(server, given.watchers, given.seconds))
            click.echo(f"peak memory: {memory_mb(server, 'VmHWM'):.0f} MB")
        finally:
            update.terminate()
            update.wait()
            server.stop()


def _wait_for_blocks(league: LeagueFolder) -> None:
    """Wait until the update has admitted the bots and plays."""
    while True:
        with LeagueResults.open(league.path) as results:
            if results.count_blocks():
                return
        time.sleep(1)


async def _load(server: ServerProcess, watchers: int, seconds: float) -> None:
    """Follow the league from many connections at once, and print what arrived when."""
    arrivals, start = Arrivals(), time.perf_counter()
    tasks = [asyncio.create_task(_watch(server, number, arrivals)) for number in range(watchers)]
    while len(arrivals.latest) < watchers and not any(task.done() for task in tasks):
        await asyncio.sleep(0.1)
    click.echo(
        f"all {len(arrivals.latest):,} got their first event within {time.perf_counter() - start:.1f} s"
    )
    click.echo(f"memory then: {memory_mb(server):.0f} MB")
    begun = time.perf_counter()
    pages, live = asyncio.create_task(measure_pages(server)), list[float]()
    while time.perf_counter() < begun + seconds:
        live.append(await _open_page(server))
        await asyncio.sleep(1)
    pages.cancel()
    with suppress(asyncio.CancelledError):
        await pages
    lost = sum(task.done() for task in tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    _print_arrivals(arrivals, watchers, begun, begun + seconds - SETTLE_S)
    click.echo(f"connections that ended: {lost:,}; bytes of events: {arrivals.total_bytes / 1e6:,.0f} MB")
    click.echo(f"/live meanwhile: {describe(live)}; the first page: {describe(PAGES)}")


def _print_arrivals(arrivals: Arrivals, watchers: int, begin: float, end: float) -> None:
    """Print how fast the changes within some time spread, and whether all clients saw the same at last."""
    changes = {event: times for event, times in arrivals.times.items() if begin < min(times) < end}
    for kind in sorted({arrivals.kinds[event] for event in changes}):
        of_kind = [times for event, times in changes.items() if arrivals.kinds[event] == kind]
        spreads = [max(times) - min(times) for times in of_kind]
        complete = sum(len(times) == watchers for times in of_kind)
        click.echo(
            f"{kind.decode()}: {len(spreads)} changes, {complete} of which reached all; from the first "
            f"client to the last {median(spreads):.1f} s in the median, at most {max(spreads):.1f} s"
        )


async def _watch(server: ServerProcess, number: int, arrivals: Arrivals) -> None:
    """Follow the events until cancelled."""
    reader, writer = await send(server, "GET /api/live/events HTTP/1.1\r\n")
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        kind = b""
        while chunk := await _read_chunk(reader):
            for line in chunk.splitlines():
                if line.startswith(b"event: "):
                    kind = line[7:]
                elif line.startswith(b"data: "):
                    arrivals.add(number, kind, line[6:])
    finally:
        writer.close()


async def _read_chunk(reader: asyncio.StreamReader) -> bytes:
    """Return a chunk of the answer, which is one event; empty at its end."""
    size = int(await reader.readline() or b"0", 16)
    chunk = await reader.readexactly(size)
    await reader.readexactly(2)
    return chunk


async def _open_page(server: ServerProcess) -> float:
    """Return the seconds until the live page is answered."""
    start = time.perf_counter()
    reader, writer = await send(server, "GET /live HTTP/1.1\r\nConnection: close\r\n")
    assert (await reader.read()).startswith(b"HTTP/1.1 200")
    writer.close()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
