"""Files of the project outside the package, such as its documentation; a wheel has copies of them."""

from pathlib import Path

PACKAGE = Path(__file__).parent


def find_shipped(copy: str, original: str) -> Path:
    """Return the path of a file or folder: the copy in an installed package, in a checkout the original.

    Args:
        copy: Its path in the package, where `setup.py` puts it.
        original: Its path in the checkout.
    """
    path = PACKAGE / copy
    return path if path.exists() else PACKAGE.parent / original
