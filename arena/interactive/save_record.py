"""Where the record of a match that a person has played is kept."""

from itertools import count
from pathlib import Path
from typing import Final

from arena.errors import ConfigError

REPLAYS: Final = Path("replays")


def check_output_file(out: Path) -> None:
    """Raises ConfigError for a file that is there, or whose folder is not."""
    if out.exists():
        raise ConfigError(f"{out} is there already: name a file that is not")
    if not out.parent.is_dir():
        raise ConfigError(f"{out}: there is no folder {out.parent}")


def save_record(record: bytes, name: str, out: Path | None = None) -> Path:
    """Writes a record to a file of its own, else to the next one of that name in the folder of replays.

    Raises: OSError.
    """
    if out is None:
        REPLAYS.mkdir(exist_ok=True)
        numbered = (REPLAYS / f"{name}-{number:03}.jsonl" for number in count(1))
        out = next(path for path in numbered if not path.exists())
    with open(out, "xb") as file:
        file.write(record + b"\n")
    return out
