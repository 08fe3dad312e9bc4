"""A text that leads to another page."""

from __future__ import annotations


class Link(str):
    """A text that leads to another page; `href` is relative to the page it is on."""

    href: str

    def __new__(cls, text: str, href: str = "") -> Link:
        """Return a link with its text."""
        link = super().__new__(cls, text)
        link.href = href
        return link
