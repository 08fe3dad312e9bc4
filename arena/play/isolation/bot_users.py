"""For an arena started as root: gives each bot a user of its own, and opens no file of root's to it.

The kernel checks some rights (/proc/sys, the limit of processes) against the real user behind a sandbox, so
root's bot in a sandbox would still be root.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from shlex import quote

FIRST_USER = 2_100_000_000
"""A bot's user is this plus its process id, so that no two running bots share one.

Source: systemd.io/UIDS-GIDS, where the numbers up to 2**31 are unused.
"""
PROBE_TIMEOUT_S = 20.0
STAGE = "/sys"
"""Folder in which files are laid out before they are moved into place: programs need nothing there."""


def is_root() -> bool:
    """Return whether this process is the machine's root, not merely a container's."""
    if os.geteuid() != 0:
        return False
    try:
        first, outside, _ = Path("/proc/self/uid_map").read_text().split()[:3]
    except (OSError, ValueError):
        return True
    return (first, outside) == ("0", "0")


@cache
def can_open_folders() -> bool:
    """Return whether this process may open closed folders to bots, as `drop_command` does."""
    script = f"mount -t tmpfs -o mode=755 arena {STAGE}"
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script]
    try:
        return subprocess.run(command, capture_output=True, timeout=PROBE_TIMEOUT_S).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def drop_command(files: Iterable[Path], folder: Path, *, dies_with_parent: bool = True) -> list[str]:
    """Return the start of a command line that runs the rest of it in the folder, as a user of its own.

    It dies with the thread that started it, if told so. Files that this user cannot reach, because they lie
    in a home say, keep their paths for it: in a mount namespace of its own, the closed folder is replaced by
    one with nothing else in it.
    """
    become = "exec setpriv --reuid=$u --regid=$u --clear-groups --inh-caps=-all --bounding-set=-all"
    death = " --pdeathsig=KILL" if dies_with_parent else ""
    opening = list(_opening_commands(_outermost(files)))
    script = [
        "set -e",
        *(["m=$(umask)", "umask 022", *opening, "umask $m"] if opening else []),
        f"cd {quote(str(folder))}",
        f"u=$(({FIRST_USER} + $$))",
        f'{become}{death} "$@"',
    ]
    namespace = ["unshare", "--mount", "--propagation", "private"] if opening else []
    return [*namespace, "sh", "-c", "\n".join(script), "sh"]


def _opening_commands(files: Iterable[Path]) -> Iterator[str]:
    """Yield the commands that replace closed folders by open ones with only these files in them."""
    closed = {file: top for file in files if (top := _closed_at(file)) is not None}
    if not closed:
        return
    yield f"mount -t tmpfs -o mode=755 arena {STAGE}"
    tops = sorted(set(closed.values()))
    stages = {top: Path(STAGE, str(number)) for number, top in enumerate(tops)}
    places = {file: stages[top] / file.relative_to(top) for file, top in closed.items()}
    folders = [
        place if _is_readable(file) and file.is_dir() else place.parent for file, place in places.items()
    ]
    yield f"mkdir -p {' '.join(quote(str(folder)) for folder in folders)}"
    mounts = []
    for file, place in places.items():
        source, target = quote(str(file)), quote(str(place))
        if not _is_readable(file):
            yield f"cp -R {source} {target}"
            yield f"chmod -R a+rX,go-w {target}"
            continue
        if not file.is_dir():
            yield f": > {target}"
        mounts.append((file, place))
    mounts += [(stage, top) for top, stage in stages.items()]
    # one program mounts all, which is faster
    table = "".join(f"{_escape(file)} {_escape(place)} none rbind\n" for file, place in mounts)
    yield f"printf %s {quote(table)} > {STAGE}/table"
    yield f"mount --all --fstab {STAGE}/table"
    yield f"umount -l {STAGE}"


def _escape(path: Path) -> str:
    """Write a path as a mount table does."""
    return "".join(f"\\{ord(sign):03o}" if sign in " \t\n\\" else sign for sign in str(path))


def _closed_at(file: Path) -> Path | None:
    """Return the outermost folder above the file, or the file, that other users may not enter or read."""
    for folder in reversed(file.parents):
        if not _has_mode(folder, 0o001):
            return folder
    return None if _is_readable(file) else file


def _is_readable(file: Path) -> bool:
    return _has_mode(file, 0o005 if file.is_dir() else 0o004)


def _has_mode(file: Path, bits: int) -> bool:
    return stat.S_IMODE(file.stat().st_mode) & bits == bits


def _outermost(files: Iterable[Path]) -> list[Path]:
    """Return the files that lie in no other of them."""
    kept: list[Path] = []
    for file in sorted(set(files)):
        if not kept or not file.is_relative_to(kept[-1]):
            kept.append(file)
    return kept
