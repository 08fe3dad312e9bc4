"""Plays the bot against itself at every game it declares: `python -m unittest`, with the arena installed."""

import unittest
from pathlib import Path

from arena import play_match
from arena.plugins import parse_bot, supported_rules

FOLDER = Path(__file__).parent
BOT = parse_bot(".", FOLDER).source
GAMES = supported_rules(BOT.variants())


class EveryGame(unittest.TestCase):
    def test_it_plays_without_a_fault(self):
        module = BOT.load()
        for variant in GAMES:
            with self.subTest(str(variant)):
                record = play_match(variant, [module, module, module], seed="a test")
                self.assertEqual(record["faults"], [])


if __name__ == "__main__":
    unittest.main()
