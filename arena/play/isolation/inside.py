"""The first code in a bot's process: gives up what the bot must not have, then becomes its host.

Run as a script by a bare Python, so it imports next to nothing. Its arguments: a seccomp filter in hex,
the paths that may be read, the packages that may be imported (one a line), the bot's folder, and what the
host is called with.
"""

import sys


def become_host(packages: list[str], folder: str, arguments: list[str]) -> None:
    """Imports the packages each from where it lies, without the rest that lies there."""
    for package in packages:
        parent, _, name = package.rpartition("/")
        sys.path.insert(0, parent)
        __import__(name)
        sys.path.remove(parent)
    if folder:
        sys.path.insert(0, folder)
    __import__("arena.play.botside")
    sys.modules["arena.play.botside"].main(arguments)


if __name__ == "__main__":
    _, program, readable, shown, home, *rest = sys.argv
    become_host(shown.splitlines(), home, rest)
