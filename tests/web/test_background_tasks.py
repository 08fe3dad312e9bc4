"""Processes beside the server."""

import asyncio
import os
from pathlib import Path

from arena.web.jobs import start_module
from tests.web.conftest import run_async


def test_a_killed_process_leaves_no_warning_about_its_semaphores() -> None:
    """Python's resource tracker outlives a process, and removes its semaphores."""

    async def run() -> tuple[bytes, bytes]:
        pipe = asyncio.subprocess.PIPE
        here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        process = await start_module("tests.web.leaking_process", stdout=pipe, stderr=pipe, env=here)
        return await process.communicate()

    assert run_async(run()) == (b"registered\n", b"")


def test_a_process_imports_nothing_from_the_working_directory(tmp_path: Path) -> None:
    for name in ("this", "runpy", "random", "json", "typing"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)\n")

    async def run() -> bytes:
        pipe = asyncio.subprocess.PIPE
        process = await start_module("this", stdout=pipe, cwd=tmp_path)
        output, _ = await process.communicate()
        return output

    assert run_async(run()).startswith(b"The Zen of Python")
