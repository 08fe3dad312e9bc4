"""A bot that tells which packages it can import, and which files it sees."""

import json
import sys
from importlib import import_module
from pathlib import Path


def main(arguments: list[str]) -> None:
    """Told names, and paths that begin with a slash."""
    told = {name: seen(name) if name.startswith("/") else imported(name) for name in arguments}
    sys.stdout.write(json.dumps(told))


def imported(name: str) -> bool:
    try:
        import_module(name)
    except ImportError:
        return False
    return True


def seen(path: str) -> bool:
    """True if there is such a file, or a folder with something in it."""
    try:
        return any(Path(path).iterdir()) if Path(path).is_dir() else bool(Path(path).read_bytes())
    except OSError:
        return False


if __name__ == "__main__":
    main(sys.argv[1:])
