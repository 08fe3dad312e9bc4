"""Names of the bots in a league: their form, and a bot by its name."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from hashlib import blake2b

from arena.errors import PluginError, suggest_nearest
from arena.league.store import Bot
from arena.plugins.manifest import MAX_NAME_CHARS, check_name, fold_case, name_of_file, spell_in_ascii


def parse_name(text: str, bots: Sequence[Bot] | None = None) -> str:
    """Return a name in its normal form (NFC).

    Args:
        text: The name.
        bots: Those of the league: their names stay valid, any other has letters of ASCII. None where they are
            not known yet.
    """
    name = unicodedata.normalize("NFC", text[: 4 * MAX_NAME_CHARS])
    is_held = not name.isascii() and (bots is None or find_same(bots, name) is not None)
    if not (is_held and name.isprintable() and len(name) <= MAX_NAME_CHARS):
        check_name(name)
    return name


def name_bot_of(submitter: str) -> str:
    """Return the name that a submitter's own bot has: the submitter's, of which any text is one, in ASCII."""
    digest = blake2b(submitter.encode(), digest_size=3).hexdigest()
    return name_of_file(submitter) or f"bot-{digest}"


def find_bot(bots: Sequence[Bot], name: str) -> Bot:
    """Return the bot of a name, in any case."""
    if (bot := find_same(bots, name)) is None:
        hint = suggest_nearest(name, [bot.name for bot in bots])
        raise PluginError(f"no bot in the league is called {name[:60]!r}; {hint}")
    return bot


def find_same(bots: Sequence[Bot], name: str) -> Bot | None:
    """Return the bot of a name, in any case, or as it is spelled in ASCII; None if there is none."""
    folded = fold_case(name)
    same = [bot for bot in bots if bot.folded_name == folded]
    same += [bot for bot in bots if fold_case(spell_in_ascii(bot.name)) == folded]
    return same[0] if same else None
