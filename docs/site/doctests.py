"""Examples in docstrings as code blocks: an extension of Griffe, which reads the docstrings for the site."""

import re
from typing import Any, Final

import griffe

EXAMPLE: Final = re.compile(r"^( *)>>> .*(?:\n\1 *\S.*)*", re.MULTILINE)
"""From its first line to an empty line, or one that is indented less."""


class Doctests(griffe.Extension):
    """Put each example in a code block."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"\1```pycon\n\g<0>\n\1```", obj.docstring.value)
