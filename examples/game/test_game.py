"""Tests of the game: `python -m unittest`, with the arena installed."""

import unittest
from pathlib import Path

from bot import Careful

from arena import play_match
from arena.games.authoring import Showdown
from arena.play.game_conformance import check_game
from arena.plugins.games import load_game

GAME = load_game(str(Path(__file__).parent))


class Rules(unittest.TestCase):
    def test_court_cards_count_a_half(self):
        self.assertEqual(GAME.rank("7S KH").value, 7.5)
        self.assertEqual(GAME.rank("AS 2D QC").value, 3.5)

    def test_more_than_seven_and_a_half_is_bust(self):
        self.assertEqual(GAME.rank("7S AH").category, "bust")
        self.assertLess(GAME.rank("7S AH"), GAME.rank("KS"))

    def test_the_banker_wins_ties_and_the_chips_of_those_who_are_bust(self):
        banker, more, bust = GAME.rank("6S"), GAME.rank("6S KS"), GAME.rank("7S 2H")
        for hands, chips in (
            ((banker, banker), (-1, 1)),
            ((more, banker), (1, -1)),
            ((bust, banker), (-1, 1)),
            ((more, bust), (1, -1)),
            ((bust, bust), (-1, 1)),
        ):
            showdown = Showdown((0, 1), hands, GAME.settlement.initial_holdings(2))
            self.assertEqual(GAME.settlement.settle(showdown).chips, chips)


class Play(unittest.TestCase):
    def test_it_passes_the_check(self):
        self.assertEqual(check_game(GAME, matches=20).issues, ())

    def test_the_bot_plays_without_a_fault(self):
        self.assertEqual(play_match(GAME, [Careful, Careful, Careful], seed="a test")["faults"], [])


if __name__ == "__main__":
    unittest.main()
