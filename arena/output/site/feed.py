"""The Atom feed of a league's changes."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final
from uuid import UUID
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from arena.output.site.content import SiteContent
from arena.output.site.request_pages import describe_updates

ATOM: Final = "http://www.w3.org/2005/Atom"
MAX_ENTRIES: Final = 50


def render_feed(content: SiteContent) -> bytes:
    """Return the feed: an entry for each of the latest updates that are done.

    Source: RFC 4287. Identifiers are derived from the league's secret, which they do not reveal.
    """
    league = content.league
    updates = [update for update in describe_updates(content) if update[2] == "done"][:MAX_ENTRIES]
    feed = Element("feed", xmlns=ATOM)
    SubElement(feed, "title").text = league.title
    SubElement(feed, "id").text = _identifier(league.seed, 0)
    SubElement(feed, "updated").text = _timestamp(updates[0][1] if updates else "1970-01-01")
    SubElement(feed, "link", rel="alternate", href="index.html")
    SubElement(SubElement(feed, "author"), "name").text = league.title
    for number, date, _, changes in updates:
        entry = SubElement(feed, "entry")
        SubElement(entry, "title").text = f"Update {number}"
        SubElement(entry, "id").text = _identifier(league.seed, number)
        SubElement(entry, "updated").text = _timestamp(date)
        SubElement(entry, "link", rel="alternate", href="updates.html")
        SubElement(entry, "content", type="text").text = "; ".join(changes) or "More blocks were played."
    indent(feed)
    document: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _identifier(seed: str, update: int) -> str:
    digest = blake2b(f"feed {update}".encode(), key=seed.encode()[:64], digest_size=16).digest()
    return UUID(bytes=digest, version=4).urn


def _timestamp(date: str) -> str:
    return f"{date}T00:00:00Z"
