"""What a bot may read where only Landlock keeps it from the rest."""

from __future__ import annotations

import os

from arena.play.isolation.program import Program, own_files, runtime_files, settings

LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")


def readable(program: Program) -> str:
    """The files and folders, one a line."""
    system = ["/usr", *LIBRARIES] if program.command else LIBRARIES
    files = [
        *system,
        *settings(program),
        *DEVICES,
        *map(str, runtime_files(program)),
        *map(str, own_files(program)),
    ]
    return "\n".join(path for path in files if os.path.exists(path))
