"""Started as root: the bot gets a user of its own, and no file of root's is opened to it for that.

The kernel checks some rights (/proc/sys, the bound on processes) against the real user behind a sandbox,
so root's bot in a sandbox would still be root.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote

FIRST_USER = 2_100_000_000
"""Users from here on are nobody; a bot's is this and its process id, so no two living bots share one.

Source: systemd.io/UIDS-GIDS, where the numbers up to 2**31 are free.
"""
STAGE = "/sys"
"""Where the files are laid out before they are put in place: nobody keeps any there."""


def is_root() -> bool:
    """Whether this process is the machine's root, and not merely called so in a container of its own."""
    if os.geteuid() != 0:
        return False
    try:
        first, outside, _ = Path("/proc/self/uid_map").read_text().split()[:3]
    except (OSError, ValueError):
        return True
    return (first, outside) == ("0", "0")


def dropped(files: Iterable[Path], folder: Path) -> list[str]:
    """The start of a command line that runs the rest of it in the folder, as a user who is nobody else.

    It dies with the thread that started it.

    Files that this user cannot reach, because they lie in a home say, stay where they are for it: a mount
    namespace of its own has, in place of the closed folder, one with nothing else in it.
    """
    become = "exec setpriv --reuid=$u --regid=$u --clear-groups --inh-caps=-all --bounding-set=-all"
    script = "\n".join(
        [
            "set -e",
            *(opened := list(_opened(_outermost(files)))),
            f"cd {quote(str(folder))}",
            f"u=$(({FIRST_USER} + $$))",
            f'{become} --pdeathsig=KILL "$@"',
        ]
    )
    apart = ["unshare", "--mount", "--propagation", "private"] if opened else []
    return [*apart, "sh", "-c", script, "sh"]


def _opened(files: Iterable[Path]) -> Iterator[str]:
    """The commands that lay out what is closed to others in folders that are open, and put these in place."""
    closed = {file: top for file in files if (top := _closed(file)) is not None}
    if not closed:
        return
    yield f"mount -t tmpfs -o mode=755 arena {STAGE}"
    tops = sorted(set(closed.values()))
    stages = {top: Path(STAGE, str(number)) for number, top in enumerate(tops)}
    places = {file: stages[top] / file.relative_to(top) for file, top in closed.items()}
    folders = [place if _is_shown(file) and file.is_dir() else place.parent for file, place in places.items()]
    yield f"mkdir -p {' '.join(quote(str(folder)) for folder in folders)}"
    mounts = []
    for file, place in places.items():
        source, target = quote(str(file)), quote(str(place))
        if not _is_shown(file):
            yield f"cp -R {source} {target}"
            yield f"chmod -R a+rX,go-w {target}"
            continue
        if not file.is_dir():
            yield f": > {target}"
        mounts.append((file, place))
    yield from _mounted([*mounts, *((stage, top) for top, stage in stages.items())])
    yield f"umount -l {STAGE}"


def _mounted(mounts: Iterable[tuple[Path, Path]]) -> Iterator[str]:
    """The commands that show each file at its place, in turn; one program does it all, to be quick."""
    table = "".join(f"{_in_table(file)} {_in_table(place)} none rbind\n" for file, place in mounts)
    yield f"printf %s {quote(table)} > {STAGE}/table"
    yield f"mount --all --fstab {STAGE}/table"


def _in_table(path: Path) -> str:
    """The path as a table of mounts spells it."""
    return "".join(f"\\{ord(sign):03o}" if sign in " \t\n\\" else sign for sign in str(path))


def _closed(file: Path) -> Path | None:
    """The outermost folder on the way to the file, or it itself, that others may not enter."""
    for folder in reversed(file.parents):
        if not _is_open(folder, 0o001):
            return folder
    return None if _is_shown(file) else file


def _is_shown(file: Path) -> bool:
    """Whether others may see what is in it."""
    return _is_open(file, 0o005 if file.is_dir() else 0o004)


def _is_open(file: Path, bits: int) -> bool:
    return stat.S_IMODE(file.stat().st_mode) & bits == bits


def _outermost(files: Iterable[Path]) -> list[Path]:
    """The files that lie in no other of them."""
    kept: list[Path] = []
    for file in sorted(set(files)):
        if not kept or not file.is_relative_to(kept[-1]):
            kept.append(file)
    return kept
