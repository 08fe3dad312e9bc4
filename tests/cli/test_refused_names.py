"""Names and limits that a system refuses end in a line that says what to do."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.tournament.setup.config import make_config


@pytest.mark.parametrize("bot", ["g" * 300, {"bot": "greedy", "name": "é" * 128}])
def test_a_bot_s_name_of_more_than_255_bytes_is_a_config_error(bot: object) -> None:
    table = {"bots": [bot, "random"], "variants": [{"name": "lives", "players": 2}]}
    with pytest.raises(ConfigError, match="255 bytes"):
        make_config(table, base=Path(), where="the test")


def test_too_few_file_descriptors_name_the_remedy(tmp_path: Path) -> None:
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (20, 4096))\n"
        "from arena.cli import main; main()"
    )
    call = ("run", "greedy", "random", "--players", "2", "--blocks", "2", "--jobs", "2")
    command = [sys.executable, "-c", script, *call, "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "20 files may be open here: run `ulimit -n 4096` first" in done.stderr.splitlines()[-1]
