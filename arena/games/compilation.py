"""The decorator by which mypyc is told how to compile a class; where nothing is compiled it does nothing.

It is in a module of its own, which is not compiled: mypyc takes the branch for type checkers to be the only
one.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**attributes):
        """Return a decorator that leaves a class as it is."""
        return lambda compiled: compiled
