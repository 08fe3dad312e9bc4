"""Plays the bot against itself at every game it declares: `python -m unittest`, with the arena installed."""

import unittest
from pathlib import Path

from bot import Magpie

from arena import play_match
from arena.plugins import parse_bot, supported_rules

GAMES = supported_rules(parse_bot(".", Path(__file__).parent).source.variants())


class EveryGame(unittest.TestCase):
    def test_it_plays_without_a_fault(self):
        for variant in GAMES:
            with self.subTest(str(variant)):
                record = play_match(variant, [Magpie, Magpie, Magpie], seed="a test")
                self.assertEqual(record["faults"], [])


if __name__ == "__main__":
    unittest.main()
