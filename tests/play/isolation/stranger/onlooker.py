"""A bot that only looks: what it can learn of files it may not open."""

import json
import os
import sys
import time


def main(arguments: list[str]) -> None:
    """Told a file of somebody else; says what it learns of it, and of the machine."""
    (secret,) = arguments
    told = {"size": size(secret), "pid": os.getpid(), "host": os.uname().nodename, "up": time.monotonic() > 0}
    sys.stdout.write(json.dumps(told))


def size(path: str) -> int | None:
    try:
        return os.stat(path).st_size
    except OSError:
        return None
