"""Compile the busiest modules, which have a line `# mypyc: compile`, where a C compiler is available.

The modules also run uncompiled, with the same results and at half the speed. ARENA_COMPILE chooses:

- unset: compile; where that fails, leave the reason in the package, for `arena doctor`.
- require: compile; where that fails, fail the build.
- quick: as require, with half the time in the C compiler, and slower code.
- no: do not compile, and do not install mypy for it.
"""

import os
import platform
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import EXTENSION_SUFFIXES
from io import StringIO
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
MARKER = "# mypyc: compile"
"""A line of the modules to compile."""
COMPILED = sorted(
    path.relative_to(ROOT).as_posix()
    for path in ROOT.glob("arena/**/*.py")
    if MARKER in path.read_text(encoding="utf-8").splitlines()
)


MODE = os.environ.get("ARENA_COMPILE", "")
IS_COMPILING = MODE != "no" and platform.python_implementation() == "CPython"
IS_REQUIRED = MODE in ("require", "quick")
OPTIMIZATION = "1" if MODE == "quick" else "3"
C_FLAGS = [
    "-fvisibility=hidden",  # functions that no other library can replace are called directly or inlined
    "-Wno-misleading-indentation",  # gcc takes more time to look for it in so long a file than to compile it
]
"""Options for gcc and clang."""
COMPILER = ["msgspec>=0.19", "mypy>=1.11"]
"""Packages that mypyc needs in the build environment."""
SHIPPED = {
    "arena/docs": ("README.md", "docs/*.md"),
    "arena/tournament/setup": ("configs/quick.toml",),
    **{
        f"arena/plugins/templates/{name}": (f"examples/{name}/*.*", f"examples/{name}/Makefile")
        for name in ("python", "javascript", "c", "wasm", "game")
    },
}
"""Patterns of the files outside the package that are copied into each of its folders."""
FAILURE = "arena/games/compile_failure.txt"
"""File in the package with the reason why nothing was compiled."""


def write_c() -> list[Extension]:
    """Write the modules as C and return the extensions to compile; RuntimeError with the messages of mypy."""
    from mypyc.build import mypycify

    messages = StringIO()
    try:
        with redirect_stdout(messages), redirect_stderr(messages):
            extensions: list[Extension] = mypycify(
                ["--config-file=mypyc.ini", *COMPILED],
                group_name="arena.games.compiled",
                opt_level=OPTIMIZATION,
                debug_level="0",
            )
    except SystemExit as error:
        raise RuntimeError(messages.getvalue().strip() or str(error)) from None
    if os.name == "posix":
        for extension in extensions:
            extension.extra_compile_args = [*extension.extra_compile_args, *C_FLAGS]
    return extensions


class AllOrNothing(build_ext):
    """Compile all modules or none: compiled and uncompiled modules do not fit together."""

    def run(self) -> None:
        folder = Path("" if self.inplace else self.build_lib)
        (folder / FAILURE).unlink(missing_ok=True)
        try:
            self.distribution.ext_modules = write_c()
            build = build_ext(self.distribution)
            build.inplace = self.inplace
            build.ensure_finalized()
            self.extensions = build.extensions
            build.run()
        except Exception as error:  # mypy or a C compiler is missing or fails
            if IS_REQUIRED:
                raise
            for compiled in (folder / "arena").rglob(f"*{EXTENSION_SUFFIXES[0]}"):
                compiled.unlink()
            self.extensions = []
            sys.stderr.write(f"Nothing was compiled, plain Python is used: {error}\n")
            (folder / FAILURE).write_text(f"{error}\n", encoding="utf-8")


class WithShippedFiles(build_py):
    """Put files of the checkout into the package; in a checkout they are read where they are."""

    def run(self) -> None:
        super().run()
        for folder, patterns in () if self.editable_mode else SHIPPED.items():
            self.mkpath(f"{self.build_lib}/{folder}")
            for file in [path for pattern in patterns for path in ROOT.glob(pattern)]:
                self.copy_file(str(file), f"{self.build_lib}/{folder}/{file.name}")


if __name__ == "__main__":
    setup(
        # Stands for those that AllOrNothing finds: only building them needs mypy.
        ext_modules=[Extension("arena.games.compiled", [])] if IS_COMPILING else [],
        # Only for installers, which ask by egg_info: with any other command setuptools warns of it.
        setup_requires=COMPILER if IS_COMPILING and "egg_info" in sys.argv else [],
        cmdclass={"build_ext": AllOrNothing, "build_py": WithShippedFiles},
    )
