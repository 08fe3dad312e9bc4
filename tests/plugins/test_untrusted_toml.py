"""TOML of unknown origin is parsed in little time, or refused."""

import pytest

from arena.plugins.manifest import MAX_KEY_PARTS, parse_untrusted_toml

DEEP = MAX_KEY_PARTS + 1
BOMBS = {
    "dotted key": ("a" + ".a" * DEEP + " = 1", "more than 32 parts"),
    "dotted table": ("[a" + " . a" * DEEP + "]", "more than 32 parts"),
    "quoted parts": ("a" + """."a\\"".'b'""" * DEEP + " = 1", "more than 32 parts"),
    "arrays": ("a = " + "[" * 5000, "nested too deeply"),
    "tables": ("a = " + "{a=" * 4000, "nested too deeply"),
    "levels": ("a = " + "[" * 64 + "]" * 64, "nested more than 64 levels deep"),
    "digits": ("a = " + "9" * 5000, "4300 digits"),
    "size": ("#" * 20_000, "larger than 16 KiB"),
}


@pytest.mark.parametrize(("text", "why"), BOMBS.values(), ids=BOMBS)
def test_what_takes_too_long_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_untrusted_toml(text, 1 << 14)


def test_keys_and_texts_with_dots_are_read() -> None:
    key = ".".join("a" * MAX_KEY_PARTS)
    assert parse_untrusted_toml(f'{key} = "../{"x/." * 500}"', 1 << 14)["a"]["a"]
