"""Names that mypyc reads in the code that it compiles, and Python does without.

They have a module of their own, because mypyc would compile the definition of the decorator as code that is
never reached.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64 as i64
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_):
        return lambda of_class: of_class
