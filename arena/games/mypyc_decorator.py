"""The decorator by which mypyc reads what a compiled class allows; it does nothing when it is called.

It has a module of its own, because mypyc would compile its definition as code that is never reached.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_):
        return lambda of_class: of_class
