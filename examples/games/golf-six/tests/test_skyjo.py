"""Tests of the clauses of pages/skyjo.md."""

import unittest

from dealing import deal, legal, play, showdown
from golf_six.deal import GridDeal
from golf_six.rules import SKYJO, GridRules
from golf_six.scoring import SkyjoPoints

from arena.games.authoring import HIDDEN


class SkyjoTest(unittest.TestCase):
    """The clauses of pages/skyjo.md."""

    def test_pack(self) -> None:
        """Clause 1."""
        numbers = [card.points for card in SKYJO.whole_pack.cards]
        self.assertEqual([numbers.count(number) for number in range(-2, 13)], [5, 10, 15, *[10] * 12])
        self.assertEqual(SKYJO.players, range(2, 9))

    def deal(self, stock: str = "", rules: GridRules = SKYJO) -> GridDeal:
        hands = (
            "1a 2a 3a 4a 5a 6a 7a 8a 9a 1b 2b 3b",
            "12a 12b 2c 4b 5b 6b 7b 8b 9b 1c 2d 3c",
        )
        return deal(rules, hands, "0a", stock)

    def test_the_highest_two_begin(self) -> None:
        """Clauses 2 and 3."""
        game = self.deal()
        play(game, "turn 10", "turn 11", "turn 8", "turn 9")
        self.assertEqual(game.to_act, 0)
        game = self.deal()
        play(game, "turn 1", "turn 2", "turn 8", "turn 9")
        self.assertEqual(game.to_act, 1)

    def test_a_card_must_be_turned_up(self) -> None:
        """Clause 4."""
        game = self.deal("5c")
        play(game, "turn 1", "turn 2", "turn 1", "turn 2", "draw stock", "discard")
        self.assertEqual(legal(game), [f"turn {place}" for place in range(3, 13)])

    def test_three_equal_go_to_the_discards(self) -> None:
        """Clause 5."""
        game = self.deal("12c")
        play(game, "turn 1", "turn 2", "turn 1", "turn 2", "draw stock", "place 3")
        self.assertEqual(" ".join(map(str, game.pile)), "0a 2c 12a 12b 12c")
        self.assertEqual((len(game.hands[1]), game.view(0).known[1]), (9, (HIDDEN,) * 9))
        self.assertEqual(game.view(1).events[-1], "column 1:1 12a 12b 12c")

    def test_a_column_equal_at_the_end_counts_nothing(self) -> None:
        """Clauses 6 and 7."""
        self.assertEqual(SKYJO.rank("4a 4b 4c 4d 4e 5a -2a -2b -1a 0a 0b 0c").value, 13 - 5)

    def test_a_closer_who_is_not_lowest_counts_double(self) -> None:
        """Clause 7."""
        for sums, closer, points in (
            ((10, 20), 1, (10, 40)),
            ((10, 20), 0, (10, 20)),
            ((10, 10), 0, (20, 10)),
            ((-5, -4), 1, (-5, -4)),
            ((10, 20), None, (10, 20)),
        ):
            self.assertEqual(SKYJO.settlement.settle(showdown(*sums, closer=closer)).points, points)

    def test_a_match_ends_at_100(self) -> None:
        """Clause 8."""
        settlement = SKYJO.settlement
        assert isinstance(settlement, SkyjoPoints)
        held = settlement.initial_holdings(2)
        for points, dealt, over in ((99, 19, False), (100, 1, True), (0, 20, True)):
            changes = settlement.settle(showdown(0, points, closer=None))
            self.assertEqual(settlement.is_over(settlement.apply_changes(held, changes, 0), dealt), over)


if __name__ == "__main__":
    unittest.main()
