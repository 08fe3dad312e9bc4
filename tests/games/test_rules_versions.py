"""The version of a family's rules goes up when its games go another way: perft and playthroughs say so.

`versions.txt` keeps, for each variant, the version and a hash of the files made by it. A block played by
one version is not taken for one of another, so a change without a new version would mix what differs.
"""

from hashlib import sha256
from pathlib import Path

import pytest

from arena.games import VARIANTS, Rules
from tests.conftest import Golden

FOLDER = Path(__file__).parent
VERSIONS = FOLDER / "versions.txt"
Kept = dict[str, tuple[str, int, str]]


def digest(rules: Rules) -> str:
    """A hash of what is kept of a variant's games."""
    files = (FOLDER / "perft" / f"{rules.name}.perft", FOLDER / "playthroughs" / f"{rules.name}.txt")
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def present() -> str:
    """Return the expected content of the file of versions."""
    return "".join(f"{rules.name} {rules.family} {rules.version} {digest(rules)}\n" for rules in VARIANTS)


def kept() -> Kept:
    """Return its entries, by variant."""
    lines = VERSIONS.read_text(encoding="utf-8").splitlines() if VERSIONS.exists() else []
    return {name: (family, int(number), hashed) for name, family, number, hashed in map(str.split, lines)}


def complaint(rules: Rules, hashed: str, told: Kept) -> str:
    """Return the problem with a variant's version; nothing, if its games are as they were, or new."""
    _, number, before = told.get(rules.name, ("", 0, ""))
    if hashed == before or rules.version > number:
        return ""
    return (
        f"the games of {rules.name} go another way than by version {number} of the {rules.family} rules: "
        f"raise `version` in arena/families/{rules.family}/rules.py, then `make golden`"
    )


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_games_that_change_have_a_new_version(rules: Rules) -> None:
    assert not complaint(rules, digest(rules), kept())


def test_the_versions_are_written_down(golden: Golden) -> None:
    if not any(complaint(rules, digest(rules), kept()) for rules in VARIANTS):
        assert present() == golden(VERSIONS, present())


def test_a_change_without_a_new_version_is_complained_of() -> None:
    rules = VARIANTS[0]
    number = rules.version
    assert complaint(rules, "other", {rules.name: (rules.family, number, "one")}).startswith("the games of ")
    assert not complaint(rules, "other", {rules.name: (rules.family, number - 1, "one")})
    assert not complaint(rules, "one", {rules.name: (rules.family, number, "one")})
    assert not complaint(rules, "any", {})
