"""Tests of the clauses of pages/golf-six.md."""

import unittest
from random import Random

from dealing import GOLF_HANDS, deal, legal, play, see, start
from golf_six.rules import GOLF_SIX


class GolfTest(unittest.TestCase):
    """The clauses of pages/golf-six.md."""

    def test_two_to_four_play_with_52_cards(self) -> None:
        """Clause 1."""
        self.assertEqual((GOLF_SIX.players, len(GOLF_SIX.whole_pack)), (range(2, 5), 52))

    def test_each_turns_up_two_of_six_and_nobody_sees_the_others(self) -> None:
        """Clauses 2 and 3."""
        game = deal(GOLF_SIX, GOLF_HANDS, "7C", "")
        self.assertEqual((game.to_act, legal(game)), (1, [f"turn {place}" for place in range(1, 7)]))
        play(game, "turn 1", "turn 6")
        self.assertEqual(game.to_act, 0)
        for seat in (0, 1):
            self.assertEqual(" ".join(map(str, game.view(seat).known[1])), "9H ?? ?? ?? ?? 3H")
        self.assertEqual(game.view(1).hand, game.view(1).known[1])

    def test_the_eldest_draws_from_either_pile(self) -> None:
        """Clauses 4 and 5: a card replaces one face up or face down, which is discarded."""
        game = start("5D")
        self.assertEqual((game.to_act, legal(game)), (1, ["draw stock", "draw discard"]))
        play(game, "draw stock")
        self.assertEqual([str(see(game, seat).drawn) for seat in (0, 1)], ["??", "5D"])
        play(game, "place 3")
        self.assertEqual(" ".join(map(str, game.view(0).known[1])), "9H 4H 5D ?? ?? ??")
        self.assertEqual(" ".join(map(str, game.pile)), "7C KH")
        play(game, "draw discard", "place 1")
        self.assertEqual(" ".join(map(str, game.pile)), "7C 9S")

    def test_only_a_card_from_the_stock_is_discarded(self) -> None:
        """Clause 6."""
        game = start("5D")
        play(game, "draw discard")
        self.assertNotIn("discard", legal(game))
        play(game, "place 1", "draw stock")
        self.assertIn("discard", legal(game))

    def test_after_a_discard_a_card_may_must_or_cannot_be_turned_up(self) -> None:
        """Clause 7."""
        turns = [f"turn {place}" for place in (3, 4, 5, 6)]
        for turning, seat, actions in (
            ("may", 1, [*turns, "skip"]),
            ("must", 1, turns),
            ("never", 0, ["draw stock", "draw discard"]),
        ):
            game = start("5D", GOLF_SIX.with_options({"turning": turning}))
            play(game, "draw stock", "discard")
            self.assertEqual((game.to_act, legal(game)), (seat, actions))

    def test_discards_become_the_stock(self) -> None:
        """Clause 8."""
        rules = GOLF_SIX.with_options({"turning": "never", "rounds": 100})
        match = rules.match(players=2, seed="reshuffle")
        while not see(match.deal, 0).turns:
            match.apply(match.deal.legal_actions.actions[0])
        while match.deal.stock.left:
            match.apply(match.parse("draw stock"))
            match.apply(match.parse("discard"))
        pile = see(match.deal, 0).discard
        match.apply(match.parse("draw stock"))
        self.assertEqual(see(match.deal, 0).discard, pile[-1:])
        self.assertEqual(match.deal.stock.left, len(pile) - 2)

    def test_a_deal_ends_after_the_rounds(self) -> None:
        """Clause 9."""
        game = start("5D 6D", GOLF_SIX.with_options({"rounds": 1}))
        play(game, *["draw stock", "discard", "skip"] * 2)
        self.assertIsNone(game.to_act)

    def test_the_others_have_one_more_turn(self) -> None:
        """Clauses 10 and 11: the one who closed is charged what the cards count."""
        game = start("5D 6D 5C 6C 5S 6S AD 6H")
        for place in (3, 4, 5):
            play(game, "draw stock", "discard", f"turn {place}", "draw stock", "discard", "skip")
        play(game, "draw stock", "place 6")
        self.assertEqual((see(game, 0).closer, game.to_act), (1, 0))
        play(game, "draw stock", "place 1")
        assert game.changes is not None
        self.assertEqual(game.changes.points, (6 + 4 + 0 - 2 + 10 + 3, 9 + 4 + 0 - 2 + 10 + 1))

    def test_values(self) -> None:
        """Clauses 12 and 13: equal ranks in a column cancel, in a row they do not."""
        for hand, total in (
            ("AS 3S KS 4S JS QS", 1 + 3 + 0 + 4 + 20),
            ("2S 3S KS 4S TS 9S", -2 + 3 + 0 + 4 + 19),
            ("9S 9H 2S 2H KS 5S", 5),
            ("9S 3H 9H 4S 2D 5S", 9 + 3 + 9 + 4 - 2 + 5),
        ):
            self.assertEqual(GOLF_SIX.rank(hand).value, total)
        self.assertEqual(GOLF_SIX.with_options({"twos": 2}).rank("2S 3S KS 4S TS 9S").value, 28)
        self.assertGreater(GOLF_SIX.rank("9S 9H 2S 2H KS 5S"), GOLF_SIX.rank("9S 9H 2S 2H KS 6S"))

    def test_the_lowest_total_of_nine_or_eighteen_deals_wins(self) -> None:
        """Clause 14."""
        for rules in (GOLF_SIX, GOLF_SIX.with_options({"deals": 18})):
            rng, match = Random(1), rules.match(players=3, seed="total")
            totals = [0, 0, 0]
            while not match.is_over:
                match.apply(rng.choice(match.view(match.seat_to_act).legal))  # type: ignore[arg-type]
            for finished in match.finished_deals:
                assert finished.changes
                assert finished.changes.points
                totals = [total + more for total, more in zip(totals, finished.changes.points, strict=True)]
            self.assertEqual(len(match.finished_deals), rules.settlement.deals)  # type: ignore[attr-defined]
            self.assertEqual(match.payoffs, tuple([-total for total in totals]))
            self.assertEqual(match.placings[totals.index(min(totals))], 1)


if __name__ == "__main__":
    unittest.main()
