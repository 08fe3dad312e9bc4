"""Languages and libraries whose threads wait for each other work at the levels that keep malice out."""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from arena.play import Limits
from arena.play.isolation import Level, Program, start, stop

RUNTIMES = Path(__file__).with_name("runtimes")


def run(level: Level, program: Program) -> str:
    process = start(level, program, Limits(memory_mb=1024))
    try:
        out, err = process.communicate(timeout=60)
    finally:
        stop(process)
    assert process.returncode == 0, err.decode()
    return out.decode().strip()


@pytest.mark.parametrize("library", ["threads", "numpy", "torch"])
def test_python_bot_computes(closed_level: Level, library: str) -> None:
    packages = None
    if library != "threads":
        spec = find_spec(library)
        if spec is None or spec.origin is None:
            pytest.skip(f"{library} is not installed here")
        packages = Path(spec.origin).parents[1]
    program = Program(home=RUNTIMES, packages=packages, module="computing", arguments=(library,))
    assert run(closed_level, program) == "True"


def test_threads_of_c_are_waited_for(closed_level: Level, tmp_path: Path) -> None:
    if (compiler := shutil.which("cc")) is None:
        pytest.skip("there is no C compiler here")
    tmp_path.chmod(0o755)
    argv = [compiler, "-O1", "-pthread", "-o", str(tmp_path / "joins"), str(RUNTIMES / "joins.c")]
    subprocess.run(argv, check=True)
    assert run(closed_level, Program(home=tmp_path, command=("./joins",))) == str(8 * 500_000_500_000)


def test_workers_of_node_are_waited_for(closed_level: Level) -> None:
    if shutil.which("node") is None:
        pytest.skip("Node.js is not installed here")
    assert run(closed_level, Program(home=RUNTIMES, command=("node", "workers.js"))) == "6"
