"""Load test of a league's server.

    python -m benchmarks.server_load

200 accounts hand in a bot within a minute, 1,000 clients follow the events of a hand-in, 1,000 connections
send their request a byte at a time. Printed: how long uploads took to be answered, how long others waited for
a page meanwhile, how many hand-ins are stored, and the memory of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from arena.league.accounts import ServerDatabase, add_submitters, invite
from arena.league.folder import LeagueFolder
from benchmarks.server_process import ServerProcess, make_bots

TIMEOUT_S: Final = 120.0


def main() -> None:
    """Start a server, load it, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--uploads", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0, help="within which the uploads begin")
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--slow", type=int, default=1000)
    given = parser.parse_args()
    raise_descriptor_limit()
    with TemporaryDirectory() as folder:
        league = LeagueFolder.create(Path(folder, "league"), "", ["cuccu"])
        names = [f"s{number}" for number in range(given.uploads)]
        add_submitters(league, names)
        with ServerDatabase.open(league) as database:
            tokens = [account.token for account in invite(database, names, 1)]
        server = ServerProcess(league.path)
        server.start()
        try:
            click.echo(f"memory at the start: {memory_mb(server):.0f} MB")
            asyncio.run(_load(server, tokens, given))
            click.echo(f"peak memory: {memory_mb(server, 'VmHWM'):.0f} MB")
            with ServerDatabase.open(league) as database:
                query = "SELECT count(*), count(DISTINCT content) FROM hand_in"
                [(stored, distinct)] = database.query(query)
            click.echo(f"stored: {stored} hand-ins with {distinct} different contents")
        finally:
            server.kill()
            lines = [line for line in server.log.read_text().splitlines()[1:] if not line.startswith("{")]
            click.echo("\n".join(["messages of the server:", *lines[:10]] if lines else ["no messages"]))


async def _load(server: ServerProcess, tokens: Sequence[str], given: argparse.Namespace) -> None:
    """Send everything at once, and print how long it took."""
    first = (await _upload(server, tokens[0], make_bots(1)[0]))[1]
    watchers = [asyncio.create_task(_watch(server, tokens[0], first)) for _ in range(given.watchers)]
    slow = [asyncio.create_task(_trickle(server)) for _ in range(given.slow)]
    while len(FOLLOWING) < given.watchers and not any(task.done() for task in watchers):
        await asyncio.sleep(0.1)
    click.echo(f"following: {len(FOLLOWING)}, with memory {memory_mb(server):.0f} MB")
    pages = asyncio.create_task(measure_pages(server))
    bots = make_bots(len(tokens))

    async def later(number: int) -> float:
        await asyncio.sleep(number * given.seconds / len(tokens))
        return (await _upload(server, tokens[number], bots[number]))[0]

    times = await asyncio.gather(*(later(number) for number in range(1, len(tokens))))
    click.echo(f"{len(times) + 1} uploads: {describe(times)}")
    pages.cancel()
    with suppress(asyncio.CancelledError):
        await pages
    click.echo(f"pages meanwhile: {describe(PAGES)}")
    ended = sum(task.done() and not task.exception() and task.result() for task in watchers)
    following = sum(not task.done() for task in watchers)
    click.echo(f"watchers: {ended:,} got the result, {following:,} still follow, of {given.watchers:,}")
    click.echo(f"slow connections that the server ended: {sum(task.done() for task in slow)} of {given.slow}")
    for task in (*watchers, *slow):
        task.cancel()
    await asyncio.gather(*watchers, *slow, return_exceptions=True)


FOLLOWING: list[float] = []
"""Seconds at which watchers got the head of an answer."""
PAGES: list[float] = []
"""Seconds in which pages were answered."""


async def _upload(server: ServerProcess, token: str, payload: bytes) -> tuple[float, int]:
    """Hand in a bot; return the seconds until it was answered, and its number."""
    start = time.perf_counter()
    head = f"POST /api/hand-ins HTTP/1.1\r\nContent-Length: {len(payload)}\r\nConnection: close\r\n"
    async with asyncio.timeout(TIMEOUT_S):
        reader, writer = await send(server, head, token, payload)
        answer = await reader.read()
        writer.close()
    assert answer.startswith(b"HTTP/1.1 201"), answer[:300]
    return time.perf_counter() - start, json.loads(answer.partition(b"\r\n\r\n")[2])["number"]


async def _watch(server: ServerProcess, token: str, number: int) -> bool:
    """Follow the events of a hand-in to their end, and return whether the result was among them."""
    head = f"GET /api/hand-ins/{number}/events HTTP/1.1\r\n"
    reader, writer = await send(server, head, token)
    try:
        line = await reader.readline()
        assert line.startswith(b"HTTP/1.1 200"), line
        FOLLOWING.append(time.perf_counter())
        return b"event: hand-in" in await reader.read()
    finally:
        writer.close()


async def _trickle(server: ServerProcess) -> None:
    """Send a request a byte a second, until the server has enough of it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        for byte in b"GET / HTTP/1.1\r\nHost: " + b"x" * 1000:
            writer.write(bytes([byte]))
            await writer.drain()
            try:
                async with asyncio.timeout(1):
                    if not await reader.read(1):
                        return
            except TimeoutError:
                pass
    except ConnectionError:
        return
    finally:
        writer.close()


async def measure_pages(server: ServerProcess) -> None:
    """Ask for the first page again and again, and note the seconds until it is answered."""
    while True:
        start = time.perf_counter()
        reader, writer = await send(server, "GET / HTTP/1.1\r\nConnection: close\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        writer.close()
        PAGES.append(time.perf_counter() - start)
        await asyncio.sleep(0.2)


async def send(
    server: ServerProcess, head: str, token: str = "", payload: bytes = b""
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Send a request, and return its connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    writer.write(f"{head}Host: 127.0.0.1\r\n{authorization}\r\n".encode() + payload)
    await writer.drain()
    return reader, writer


def raise_descriptor_limit() -> None:
    """Allow as many connections as the system lets this process have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def describe(seconds: Sequence[float]) -> str:
    """Return the median of times, and the time within which nearly all are."""
    ordered = sorted(seconds)
    late = ordered[int(0.99 * (len(ordered) - 1))]
    return f"median {1000 * statistics.median(ordered):,.0f} ms, 99 % within {1000 * late:,.0f} ms"


def memory_mb(server: ServerProcess, name: str = "VmRSS") -> float:
    """Return the resident memory of the server, or with `VmHWM` its peak."""
    if sys.platform != "linux":
        return float("nan")
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


if __name__ == "__main__":
    main()
