"""A bot's folder and a store to submit it to."""

from pathlib import Path

import pytest

from arena.plugins.submission_store import SubmissionStore

CODE = "class Shark:\n    def act(self, view):\n        return view.legal[0]\n"
MANIFEST = 'name = "shark"\nclass = "bot.py:Shark"\nauthor = "Ann"\nteam = "sea"\nvariants = ["lives"]\n'


@pytest.fixture
def shark(tmp_path: Path) -> Path:
    folder = tmp_path / "work/shark"
    (folder / "deep").mkdir(parents=True)
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text(CODE)
    (folder / "deep/weights").write_bytes(b"\0\1")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__/bot.pyc").touch()
    (folder / ".git").mkdir()
    return folder


@pytest.fixture
def store(tmp_path: Path) -> SubmissionStore:
    return SubmissionStore(tmp_path / "store")


def names(store: SubmissionStore) -> list[str]:
    return [submission.name for submission in store.submissions()]


def left_over(store: SubmissionStore) -> list[str]:
    return sorted(path.name for path in store.path.iterdir() if path.name.startswith(".new"))
