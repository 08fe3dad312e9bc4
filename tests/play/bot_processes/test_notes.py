"""Notes that processes send: not answers, and forgotten when a decision is made again."""

from arena.games import variant
from arena.play import Info
from arena.play.bot_processes.answers import resolve_answer, take_report
from arena.play.bot_processes.attached_matches import AttachedMatches
from arena.play.bot_processes.protocol import FailureReport
from arena.play.bot_processes.replay_log import ReplayLog
from arena.play.bot_processes.view_encoder import MatchEncoder, SymbolEncoder
from arena.play.faults import BotFailure
from arena.play.players import MAX_NOTES, Player

RULES = variant("lives")


def make_player() -> Player:
    return Player(Info.of(RULES, seat=1, players=2, key="k"), "mine")


def test_a_note_is_no_answer_and_no_fault() -> None:
    answer = resolve_answer(FailureReport(0, "note", "an answer?", True, 0), (0, None, None))
    assert isinstance(answer, BotFailure)
    assert answer.kind == "invalid"


def test_the_last_note_before_an_answer_is_remembered_and_dropped_when_it_is_asked_again() -> None:
    matches, player = AttachedMatches(), make_player()
    info = Info.of(RULES, seat=1, players=2, key="k")
    m = matches.add(player, info, MatchEncoder(SymbolEncoder()))
    for text in ("first", "second"):
        take_report(FailureReport(m, "note", text, False, 0), matches, ReplayLog(), None)  # type: ignore[arg-type]
    assert (player.noted, player.faults) == (["second"], [])
    matches.drop_note(m)
    matches.drop_note(m + 1)
    assert player.noted == []


def test_few_notes_of_a_match_are_kept() -> None:
    player, deal = make_player(), RULES.match(2, "s").deal
    for number in range(MAX_NOTES + 5):
        player.noted.append(f"{number}\u202e" + "x" * 500)
        player.keep_note(deal)
    assert len(player.notes) == MAX_NOTES
    assert player.notes[7].text == "7 " + "x" * 198
    player.noted.append("")
    player.keep_note(deal)
    assert player.noted == []
