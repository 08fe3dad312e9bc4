"""A person plays, asks for help and leaves in every variant, and the record is valid."""

import json
import re
from collections.abc import Callable, Iterator
from random import Random

import pytest

from arena.games import VARIANTS, Rules, View
from arena.games.cards import Card
from arena.interactive.person import format_table
from arena.interactive.terminal_match import format_own_placing
from arena.output.words.cards import CARD
from arena.output.words.seat_names import SeatNames
from arena.output.words.terminal_layout import TerminalSize
from arena.play.records.record_check import check_lines
from arena.plugins.games import load_game
from tests.interactive.scripted_person import ScriptedPerson
from tests.strangers.loading import WHIST, forget_games

every_game = pytest.mark.parametrize("rules", VARIANTS, ids=str)


def anything(seed: str) -> Callable[[str], str]:
    """Type numbers, some of which are too large."""
    rng = Random(seed)
    return lambda printed: str(rng.randint(1, 5))


def as_advised(printed: str) -> str:
    """Ask for a hint, then type it."""
    said = re.search(r" would play (.*)$", "\n".join(printed.splitlines()[-2:]), re.MULTILINE)
    return said[1] if said else "h"


@every_game
def test_a_whole_match_of_every_game_is_played_by_numbers(rules: Rules) -> None:
    """The person sees symbols of suits, and the record has letters."""
    person = ScriptedPerson(rules.name, anything(rules.name), players=4, has_suit_symbols=True)
    assert person.play()
    record = person.match.record()
    assert record is not None
    assert check_lines("it", [record]).matches == 1
    told = json.loads(record)
    assert (told["bots"][0], told["faults"], told["seed"]) == ("person", [], "any text")
    assert "\nThe match is over\n" in person.printed
    assert re.search(r"\n  You came (1st|2nd|3rd|4th) of 4[.,]", person.printed)
    assert [line for line in person.printed.splitlines() if len(line) > 80] == []
    _, _, played = person.printed.partition("── Deal 1")
    assert not {match[0] for match in CARD.finditer(played) if match["suit"]}
    is_french = set("SHDC") <= {card.text[-1] for card in rules.whole_pack.cards}
    assert bool(re.search("[♠♥♦♣]", played)) == is_french
    assert not re.search("[♠♥♦♣]", record.decode())


@every_game
def test_a_whole_match_of_every_game_fits_56_columns_with_wide_names(rules: Rules) -> None:
    numbers, rng = anything(rules.name), Random(rules.name)
    person = ScriptedPerson(
        rules.name,
        lambda printed: rng.choice(["h", "log", "", *[numbers(printed)] * 4]),
        players=min(5, rules.players[-1]),
        size=TerminalSize(56, 1000),
        bot_name="a bot of a name as wide as names can be",
    )
    person.play()
    assert "\nThe match is over\n" in person.printed
    assert "  a bot of a na… 1  " in person.printed
    assert [line for line in person.printed.splitlines() if len(line) > 56] == []


def test_cards_may_be_typed_with_symbols_or_with_letters() -> None:
    symbols, letters = (
        ScriptedPerson("lives", [typed], seed="x", players=4, has_suit_symbols=True, tokens=1)
        for typed in ("7♣>t♣", "7c>tc")
    )
    assert not symbols.play()
    assert not letters.play()
    assert "you        take T♣ for 7♣" in symbols.printed
    assert symbols.printed == letters.printed.replace("7c>tc", "7♣>t♣")


@every_game
def test_no_card_is_shown_that_this_seat_may_not_know(rules: Rules) -> None:
    rng, asked = Random(rules.name), 0

    def looking(printed: str) -> str:
        nonlocal asked
        view = person.match.view
        shown = {match[0] for match in CARD.finditer(printed.rpartition("── Deal")[2])}
        assert shown - known_cards(view) <= {"??"}
        asked += 1
        if asked > 25:
            raise EOFError
        return str(rng.randint(1, 5))

    person = ScriptedPerson(rules.name, looking)
    person.play()
    assert asked >= 3


def known_cards(view: View) -> set[str]:
    """Return all cards that a view names."""
    fields = [getattr(view, name) for name in view.__struct_fields__ if name not in ("opening", "legal")]
    known = {card.text for field in [*fields, view.known, view.table] for card in cards_in(field)}
    return known | {match[0] for event in view.events for match in CARD.finditer(event)}


def cards_in(field: object) -> Iterator[Card]:
    """Yield the cards in a field of a view, at any depth."""
    if isinstance(field, Card):
        yield field
    elif isinstance(field, tuple):
        for part in field:
            yield from cards_in(part)


@every_game
def test_a_hint_can_be_typed(rules: Rules) -> None:
    typed: list[str] = []

    def following(printed: str) -> str:
        typed.append(as_advised(printed))
        if len(typed) > 12:
            raise EOFError
        return typed[-1]

    person = ScriptedPerson(rules.name, following)
    person.play()
    assert "not a legal action" not in person.printed
    assert "That could be" not in person.printed
    assert " would play " in person.printed


def test_hints_do_not_change_the_match() -> None:
    def asking(printed: str) -> str:
        return "1" if as_advised(printed) != "h" else "h"

    silent, curious = (ScriptedPerson("lives", typing, tokens=1) for typing in (lambda printed: "1", asking))
    silent.play()
    curious.play()
    assert curious.printed.count(" would play ") > 1
    assert curious.match.record() == silent.match.record()


def test_the_welcome_names_the_variant_and_the_commands() -> None:
    person = ScriptedPerson("lives", [])
    person.play()
    assert person.printed.startswith("lives, 3 players\nOne card a turn against a widow of three;")
    assert "quit    leave (or Ctrl-D" in person.printed
    assert "\nTo win, be the last player who has tokens.\n" in person.printed
    assert "── Deal 1: " in person.printed


def test_the_table_shows_only_what_the_seat_may_know() -> None:
    person = ScriptedPerson("lives", [], seed="x", players=4)
    person.play()
    _, _, screen = person.printed.partition("── Deal 1")
    assert screen.splitlines() == [
        ": you deal ──",
        "",
        "  counter 1  takes 7S for TC",
        "  counter 2  takes KD for 9H",
        "  counter 3  passes",
        "",
        "  1  counter 1  3 tokens  7S ?? ??",
        "  2  counter 2  3 tokens  KD ?? ??",
        "  3  counter 3  3 tokens  ?? ?? ??",
        "> 0  you        3 tokens  6H 7C QS  point 23, deals",
        "     widow                TC 9H 2S",
        "",
        "Your turn.",
        "        for   TC            9H            2S",
        "  give 6H   1 point 27    2 point 26    3 point 19",
        "  give 7C   4 point 26    5 point 25    6 point 18",
        "  give QS   7 point 23    8 point 22    9 point 15",
        "    10 pass   11 knock",
        "",
        "You left the table after 0 finished deals.",
    ]


def test_the_table_shows_as_many_cards_of_others_as_they_hold() -> None:
    with forget_games():
        rules = load_game(str(WHIST))
        match = rules.match(3, "sizes")
        for _ in range(4):
            match.apply(match.deal.legal_actions.actions[0])
        view, names = match.view(match.seat_to_act or 0), SeatNames(("Ann", "Bob", "Cid"))
        sizes = [len(hand) for hand in match.deal.hands]
        assert sorted(sizes) == [3, 4, 4]
        rows = format_table(view, sizes, names, 80).splitlines()[:3]
        assert sorted(row.count("??") for row in rows) == sorted(
            [0, *[size for seat, size in enumerate(sizes) if seat != view.seat]]
        )


def test_the_end_of_a_deal_shows_hands_and_results() -> None:
    person = ScriptedPerson("lives", ["3", "3", "3", "3", "3"], seed="x", players=4, tokens=1)
    person.play()
    story = person.printed.partition("Deal 1 is over")[2]
    rows = story.strip().splitlines()[:4]
    assert [row.split()[1] for row in rows if "loses 1 token, has 0; is out" in row] == ["you"]
    assert "You are out; the others play on." in story
    assert person.printed.count(" is over\n") == 2


def test_the_end_of_a_deal_shows_no_hand_that_was_not_shown() -> None:
    person = ScriptedPerson("thirty-one", ["1"] * 6, seed="12", players=4, tokens=1)
    person.play()
    rows = person.printed.partition("Deal 1 is over")[2].strip().splitlines()[:4]
    assert "TH QH AH  31 in hearts" in rows[0]
    assert ["?? ?? ??" in row for row in rows] == [False, False, True, True]


def test_a_person_who_is_out_gets_a_summary_of_each_deal() -> None:
    person = ScriptedPerson("lives", ["3", "3", "3", "3", "3"], seed="x", players=4, tokens=1)
    person.play()
    rest = person.printed.partition("the others play on.")[2].partition("The match is over")[0]
    told = [line for line in rest.splitlines() if line.strip()]
    assert told
    assert all(re.match(r"  Deal \d+: (counter \d|nobody) lose", line) for line in told)


@pytest.mark.parametrize("farewell", ["quit", "Q", "exit", None])
def test_finished_deals_are_kept_on_leaving(farewell: str | None) -> None:
    person = ScriptedPerson("cuccu", ["1", "1", *([farewell] if farewell else [])])
    assert not person.play()
    assert "You left the table after 2 finished deals." in person.printed
    record = person.match.record()
    assert record is not None
    assert check_lines("it", [record]).deals == 2


def test_ctrl_c_leaves_too() -> None:
    def interrupted(printed: str) -> str:
        raise KeyboardInterrupt

    person = ScriptedPerson("lives", interrupted)
    assert not person.play()
    assert person.match.record() is None


def test_enter_shows_the_table_again_and_log_the_deal_so_far() -> None:
    person = ScriptedPerson("lives", ["", "log"], seed="x", players=4)
    person.play()
    assert person.printed.count("> 0  you") == 2
    assert person.printed.count("takes 7S for TC") == 2


def test_help_lists_the_commands() -> None:
    person = ScriptedPerson("lives", ["help"])
    person.play()
    assert person.printed.count("log   the deal's past") == 2


def test_rules_are_paged_without_citations() -> None:
    window = TerminalSize(80, 12)
    person = ScriptedPerson("lives", ["?", "", "q"], size=window)
    person.play()
    page = person.printed.partition("> ?\n")[2].partition("-- Enter for more")[0]
    assert len(page.splitlines()) == 10
    assert person.printed.count("-- Enter for more, q to stop --") == 2
    assert "[S004" not in person.printed
    assert "1. Three to twelve play" in page


def test_rules_are_not_paged_if_not_interactive() -> None:
    person = ScriptedPerson("lives", ["?"], tokens=1)
    person.play()
    assert "The end of the deal" in person.printed
    assert "Options of this match: lives(tokens=1)." in person.printed
    assert "Enter for more" not in person.printed


def test_an_interactive_terminal_waits_between_deals() -> None:
    person = ScriptedPerson("cuccu", ["1", "?", "q", "", "1", "quit"], size=TerminalSize(80, 24))
    person.play()
    assert person.printed.count("-- Enter for the next deal --") == 3
    assert "You left the table after 2 finished deals." in person.printed


def test_the_person_can_have_any_seat() -> None:
    person = ScriptedPerson("lives", [], seat=2)
    person.play()
    assert "\n> 2  you " in person.printed


def test_only_bots_that_share_a_name_are_numbered() -> None:
    many, few = ScriptedPerson("cuccu", []), ScriptedPerson("cuccu", [], players=2)
    many.play()
    few.play()
    assert "cautious 1" in many.printed
    assert "cautious 2" in many.printed
    assert "cautious 1" not in few.printed


def test_repeated_hints_are_the_same() -> None:
    person = ScriptedPerson("lives", ["h", "h", "h"], seed="x", players=4)
    person.play()
    hints = [line for line in person.printed.splitlines() if " would play " in line]
    assert len(hints) == 3
    assert len(set(hints)) == 1


@pytest.mark.parametrize(
    ("placings", "text"),
    [
        ((4, 1, 2, 3), "You came 4th of 4."),
        ((1, 2), "You came 1st of 2."),
        ((2, 1, 2, 2), "You came 2nd of 4, a place shared with 2 others."),
        ((11, *range(1, 11)), "You came 11th of 11."),
    ],
)
def test_own_placing_is_said_in_words(placings: tuple[int, ...], text: str) -> None:
    assert format_own_placing(placings, 0) == text
