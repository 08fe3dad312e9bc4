"""Tests of the package as a game of the arena."""

import unittest
from collections import Counter
from random import Random

from dealing import see
from golf_six.bots import Searcher, Settings, choose_rivals
from golf_six.rules import GOLF_SIX, SKYJO, Deck, GridRules
from golf_six.scoring import ColumnRanking, Strokes

from arena import play_match
from arena.play import Info
from arena.play.game_conformance import check_game

SMALL = GridRules(
    name="small",
    hand_size=2,
    max_players=2,
    deck=Deck(copies=((-2, 1), (1, 2), (5, 2), (9, 2))),
    ranking=ColumnRanking(rows=2),
    settlement=Strokes(),
)
"""A grid of one column and a pack of seven: all worlds can be counted."""


class QuickSearcher(Searcher):
    """A search of few worlds."""

    def __init__(self, info: Info) -> None:
        super().__init__(info)
        self.settings = Settings(worlds=4)


class PlayTest(unittest.TestCase):
    """The package as a game of the arena."""

    def test_the_check_finds_nothing(self) -> None:
        for rules in (GOLF_SIX, SKYJO):
            self.assertEqual(check_game(rules.with_options({"deals": 1}), matches=5).issues, ())

    def test_worlds_are_drawn_uniformly(self) -> None:
        """Each of the 30 hands that the other seat can have comes about as often."""
        view = SMALL.match(players=2, seed="small").view(1)
        counts = Counter(world.deal.hands[0] for world in view.samples(Random(1), 4200))
        self.assertEqual(len(counts), 6 * 5)
        self.assertLess(max(abs(count - 140) for count in counts.values()), 60)

    def test_samples_show_the_same_view_after_a_reshuffle(self) -> None:
        rules, rng = GOLF_SIX.with_options({"deals": 1}), Random(5)
        match = rules.match(players=3, seed="long")
        while not match.is_over:
            view = match.view(match.seat_to_act)  # type: ignore[arg-type]
            if "reshuffle" in view.events:
                for seat in range(3):
                    seen = match.view(seat)
                    again = seen.sample(rng).view(seat)
                    self.assertEqual((again.events, again.hand), (seen.events, seen.hand))
                break
            wanted = [action for action in view.legal if action.kind in ("discard", "skip")] or [*view.legal]
            match.apply(wanted[0])
        self.assertFalse(match.is_over)

    def test_the_bots_play_without_a_fault(self) -> None:
        for rules in (GOLF_SIX, SKYJO):
            bots = ["golf-columns", QuickSearcher]
            record = play_match(rules.with_options({"deals": 1}), bots, seed="a test")
            self.assertEqual(record["faults"], [])

    def test_equal_places_are_tried_once(self) -> None:
        match = GOLF_SIX.match(players=2, seed="equal")
        for text in ("turn 1", "turn 3", "turn 1", "turn 3", "draw stock"):
            match.apply(match.parse(text))
        assert match.seat_to_act is not None
        view = see(match.deal, match.seat_to_act)
        tried = [view.text(action) for action in choose_rivals(view, view.legal[0])]
        self.assertEqual(tried, ["place 2", "place 3", "place 4", "place 5", "discard"])


if __name__ == "__main__":
    unittest.main()
