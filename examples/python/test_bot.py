"""Plays the bot against itself at every game: `python -m unittest`, where the arena is installed."""

import unittest

from bot import Magpie

from arena import VARIANTS, play_match


class EveryGame(unittest.TestCase):
    def test_it_plays_without_a_fault(self):
        for variant in VARIANTS:
            with self.subTest(str(variant)):
                record = play_match(variant, [Magpie, Magpie, Magpie], seed="a test")
                self.assertEqual(record["faults"], [])


if __name__ == "__main__":
    unittest.main()
