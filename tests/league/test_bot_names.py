"""Names of bots in a league: letters of ASCII, but for those that it holds already."""

import re

import pytest

from arena.errors import BotNameError
from arena.league.bot_names import find_same, name_bot_of, parse_name
from arena.league.store import Bot
from arena.plugins.manifest import fold_case, name_of_file

HELD = [
    Bot(number, name, fold_case(name), "", "active", 0)
    for number, name in enumerate(["ann", "Müller", "田中", "हिन्दी"])
]


@pytest.mark.parametrize("name", ["ben", "Ann-2.b_c", "a" * 40])
@pytest.mark.parametrize("bots", [None, HELD])
def test_a_new_name_has_letters_of_ascii(name: str, bots: list[Bot] | None) -> None:
    assert parse_name(name, bots) == name


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("ANN", "ann"), ("müller", "Müller"), ("mu\u0308ller", "Müller"), ("mueller", "Müller"),
        ("田中", "田中"), ("हिन्दी", "हिन्दी"), ("muller", None), ("a", None),
    ],
)  # fmt: skip
def test_names_that_a_league_holds_stay_valid(name: str, held: str | None) -> None:
    bot = find_same(HELD, name)
    assert (bot and bot.name) == held
    assert fold_case(parse_name(name, HELD)) == fold_case(name)


@pytest.mark.parametrize(
    ("name", "proposal"),
    [
        ("schröder", "schroeder"), ("Åsa", "Asa"), ("zoë", "zoe"), ("Straße", "Strasse"), ("grееdy", "gr-dy"),
        ("a b", "a-b"), ("-a", "a"), (".a", "a"), ("a/b", "a-b"), ("../x", "x"), ("a" * 41, "a" * 40),
        ("<b>", "b"), ("=1", "1"), ("a\u202eb", "a-b"), ("a\x1b[31m", "a-31m"), ("a\nb", "a-b"),
        ("ann\ufe0f", "ann"), ("a" * 500, "a" * 40), ("", ""), ("中田", ""), ("\u3164", ""),
    ],
)  # fmt: skip
def test_another_name_is_refused_with_a_proposal(name: str, proposal: str) -> None:
    hint = f"; {proposal!r} is such a name" if proposal else ""
    with pytest.raises(BotNameError, match=rf"is not 1 to 40 letters .* digit first{re.escape(hint)}$"):
        parse_name(name, HELD)
    assert name_of_file(name) == proposal


def test_a_person_of_any_name_has_a_bot_of_an_own_name() -> None:
    names = {name: name_bot_of(name) for name in ("ann", "Jörg Müller", "田中")}
    assert names == {"ann": "ann", "Jörg Müller": "Joerg-Mueller", "田中": "bot-7b5c66"}
