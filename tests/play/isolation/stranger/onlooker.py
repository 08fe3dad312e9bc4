"""A bot that only looks: what it can learn of files it may not open."""

import json
import os
import sys
import time


def main(arguments: list[str]) -> None:
    """Told a file of somebody else; says what it learns of it, and of the machine."""
    (secret,) = arguments
    told = {
        "size": size(secret),
        "pid": os.getpid(),
        "host": os.uname().nodename,
        "up": time.monotonic() > 0,
        "process 1": size("/proc/1") is not None,
        "target": target("/proc/mounts"),
        "disk": os.statvfs(os.__file__).f_blocks,
    }
    sys.stdout.write(json.dumps(told))


def target(path: str) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None


def size(path: str) -> int | None:
    try:
        return os.stat(path).st_size
    except OSError:
        return None
