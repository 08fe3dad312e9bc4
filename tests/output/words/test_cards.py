"""Hands in words that can be compared, in colors that can be read: one vocabulary for all games."""

from random import Random

import pytest

from arena.families.cox.rules import CoxRules
from arena.games import VARIANTS, Rules, variant
from arena.output.words.cards import GAIN_COLOR, LOSS_COLOR, SUIT_COLORS, describe_hand


@pytest.mark.parametrize(
    ("name", "hand", "words"),
    [
        ("lives", "KC 9S KD", "pair of kings"),
        ("lives", "6C 9S 6D", "pair of sixes"),
        ("lives", "TC TS TD", "three tens"),
        ("pounce", "TC TS TD TH", "four tens"),
        ("lives", "6H 7C QS", "point 23"),
        ("lives", "TH 9H 8H", "sequence to the ten"),
        ("lives", "KH 9H AH", "flush, ace high"),
        ("pool", "KH 9H AH", "flush, point 30"),
        ("pool", "2H 3H AH", "sequence to the three"),
        ("pool", "KH QH AH", "sequence to the ace"),
        ("no-pair-or-point", "6H 7C QS", "nothing, point 23"),
        ("ready-money", "KC 9S KD", "pair of kings"),
        ("trade-and-barter", "KC 9C AD", "point 19, 2 cards"),
        ("trade-and-barter", "KC 9C AC", "point 30, 3 cards"),
        ("trade-and-barter", "KC 9S AD", "nothing"),
        ("schwimmen", "AH KH TH", "31 in hearts"),
        ("schwimmen", "7H 7C 7S", "30.5 with three sevens"),
        ("schwimmen", "AH AC AS", "33 with three aces"),
        ("stop-the-bus-31", "7H 7C 7S", "30 with three sevens"),
        ("thirty-one", "7H 7C 7S", "7 in spades"),
        ("stop-the-bus", "3H 3C 3S", "three threes"),
        ("stop-the-bus", "2H 3H AH", "running flush to the three"),
        ("stop-the-bus", "TH 9S 8H", "run to the ten"),
        ("stop-the-bus", "TH 9H 2H", "flush, ten high"),
        ("stop-the-bus", "TH 9S 2H", "ten high"),
        ("whisky-poker", "9C 2H 2C 2D 2S", "four twos"),
        ("whisky-poker", "9C 2H 2C 2D 9S", "full house, twos over nines"),
        ("whisky-poker", "9C 2H 2C 9D AS", "nines and twos"),
        ("whisky-poker", "9C 2H 2C 2D AS", "three twos"),
        ("whisky-poker", "5C 2H 4C 3D AS", "straight to the five"),
        ("whisky-poker", "TC JC KC QC AC", "straight flush to the ace"),
        ("whisky-poker", "TC 2C KC QC AC", "flush, ace high"),
        ("cuccu", "KC", "king"),
        ("cuccu", "AC", "ace, the lowest"),
        ("cambio", "KC 2D 2H 3S", "sum 17"),
    ],
)
def test_hands_say_what_they_are_made_of(name: str, hand: str, words: str) -> None:
    rules = variant(name)
    assert describe_hand(rules, rules.whole_pack.parse(hand)) == words


@pytest.mark.parametrize("rules", [rules for rules in VARIANTS if not isinstance(rules, CoxRules)], ids=str)
def test_every_hand_has_words_that_name_no_category_of_the_notation(rules: Rules) -> None:
    rng = Random(rules.name)
    for _ in range(2000):
        hand = tuple(rng.sample(rules.whole_pack.cards, rules.hand_size))
        words = describe_hand(rules, hand)
        assert words
        assert not {"tricon", "prial", "points", "two-pair", "three-alike"} & set(words.split())


LEVELS = (0, 95, 135, 175, 215, 255)


def luminance(color: int) -> float:
    """Return the relative luminance of one of the 216 colors of the cube. Source: WCAG 2.1."""
    parts = [LEVELS[(color - 16) // step % 6] / 255 for step in (36, 6, 1)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_colors_contrast_with_black_and_with_white() -> None:
    for color in {*SUIT_COLORS.values(), GAIN_COLOR, LOSS_COLOR}:
        light = luminance(color)
        assert (light + 0.05) / 0.05 > 3, color
        assert 1.05 / (light + 0.05) > 3, color
