"""A game in plain Python, in a file, with nothing but rules, deal, view and settlement of its own."""

import pickle
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena import play_match, variant
from arena.errors import InvalidNotation, InvalidRules, PluginError, SamplingError, UnknownVariant
from arena.game_source_files import digest_game, list_hashed_files
from arena.games import Rules, View
from arena.games.deal import Deal
from arena.games.registry import list_families, load_family
from arena.installed import added_places, find_games
from arena.output.tables.games import read_rule_page
from arena.play.game_conformance import check_game
from arena.play.game_conformance.worlds import with_pack
from arena.play.records.record_check import check_record
from arena.plugins.games import find_loaded_game, game_text, is_game_path, load_game, trust_options
from arena.plugins.scaffold import make_game
from arena.tournament.setup.toml_checks import ConfigOrigin
from tests.strangers.loading import GOLF, WHIST, forget_games

pytestmark = pytest.mark.usefixtures("_forgets")


@pytest.fixture
def _forgets() -> Iterator[None]:
    with forget_games():
        yield


@pytest.fixture
def golf(_forgets: None) -> Rules:
    return load_game(str(GOLF))


def test_a_loaded_game_is_found_by_its_name(golf: Rules) -> None:
    assert variant("golf", deals=1) is not golf
    assert (variant("golf"), str(variant("golf", deals=1))) == (golf, "golf(deals=1)")
    assert find_games()["golf"] == str(GOLF)
    assert list_families()["golf"].variants == ("golf",)


def test_a_game_that_was_not_loaded_is_not_imported() -> None:
    with pytest.raises(UnknownVariant):
        variant("golf")
    with pytest.raises(PluginError, match="would run in the arena's process with your rights: if you trust"):
        find_loaded_game(str(GOLF), Path())
    assert added_places() == ()


def test_matches_end_copy_and_pickle(golf: Rules) -> None:
    rng = Random(0)
    match = golf.match(players=3, seed="any text")
    while not match.is_over:
        twins = match.copy(), pickle.loads(pickle.dumps(match))
        done = rng.choice(match.deal.legal_actions.actions)
        match.apply(done)
        for twin in twins:
            twin.apply(done)
            assert [twin.view(seat).events for seat in range(3)] == [
                match.view(seat).events for seat in range(3)
            ]
    strokes = [(deal.changes.other or {})["strokes"][0] for deal in match.finished_deals if deal.changes]
    assert sum(strokes) == -match.payoffs[0]
    assert sorted(match.placings)[0] == 1


def test_actions_come_back_from_their_texts_and_samples_show_the_same_and_are_uniform(golf: Rules) -> None:
    findings = check_game(golf, matches=2, uniformity_tests=1, fresh_process=False)
    assert (findings.issues, findings.notes) == ((), ())
    assert findings.counts.uniformity_tests == 1
    match = golf.match(players=2, seed="texts")
    with pytest.raises(InvalidNotation, match="'fold' is not an action here: "):
        match.view(match.seat_to_act or 0).parse("fold")


def test_its_records_verify(golf: Rules) -> None:
    class Last:
        def act(self, view: View) -> str:
            return view.text(view.legal[-1])

    record = play_match(golf, [Last, Last, Last], seed="record")
    assert record["deals"][0]["result"].keys() == {"strokes"}
    assert check_record(record).deals == 2


def test_a_game_for_exactly_four_says_so() -> None:
    whist = replace(load_game(str(WHIST)), name="four", hand_size=13, min_players=4)
    assert (whist.players, whist.player_range) == (range(4, 5), "4 players")
    with pytest.raises(InvalidRules, match=r"four cannot be dealt to 3: it is for 4 players$"):
        whist.match(3, "x")
    missing = ConfigOrigin().describe_missing_bots(whist, 4, 3)
    assert missing == "four is for 4 players, but there are 3 bots: name 1 more"
    with pytest.raises(InvalidRules, match=r"4 players need 56 cards.*, and 4 is the fewest"):
        replace(whist, hand_size=14)


def test_a_view_that_no_deal_fits_says_so(golf: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.games.determinization.ReplayedDeals.MAX_TRIES", 0)
    with pytest.raises(SamplingError, match="none of 0 deals of golf fits what seat 0 has seen"):
        golf.match(players=2, seed="x").view(0).sample(Random(0))


def test_a_changed_file_is_another_game(tmp_path: Path) -> None:
    copy = tmp_path / "golf.py"
    shutil.copy(GOLF, copy)
    before = load_game("golf.py", tmp_path)
    copy.write_text(copy.read_text().replace('"K": 0', '"K": 13'))
    after = load_game("golf.py:golf", tmp_path)
    assert variant("golf") is after
    assert type(before) is not type(after)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("golf: Final", "_ = nothing\ngolf: Final", "does not load: NameError"),
        ('name="golf"', 'name="Lively Golf"', "write both in lower-case letters"),
        ('name="golf"', 'name="lives"', "there is another game 'lives': give this one another name"),
        ('] = "golf"', '] = "draw"', "installed games are called 'draw'"),
        ("from __future__", "import golf_cards\nfrom __future__", "does not load: SyntaxError"),
    ],
)
def test_a_game_that_cannot_be_had_says_why(tmp_path: Path, old: str, new: str, why: str) -> None:
    path = tmp_path / "golf.py"
    path.write_text(GOLF.read_text().replace(old, new))
    with pytest.raises(PluginError, match=why):
        load_game(str(path))
    assert load_family("golf") is None


def test_a_folder_is_a_package_with_a_manifest(tmp_path: Path) -> None:
    folder = tmp_path / "links"
    folder.mkdir()
    text = GOLF.read_text()
    folder.joinpath("rules.py").write_text(
        text.replace("from typing", "from .strokes import STROKES as OWN\nfrom typing", 1)
    )
    folder.joinpath("strokes.py").write_text("STROKES = {}\n")
    with pytest.raises(PluginError, match=r"it has no game.toml with a line such as"):
        load_game("./links", tmp_path)
    folder.joinpath("game.toml").write_text('game = "rules.py:golf"\nauthor = "somebody"\n')
    assert load_game("./links", tmp_path).match(2, "x").players == 2
    folder.joinpath("rules.py").write_text(text.replace("from typing", "import strokes\nfrom typing", 1))
    with pytest.raises(PluginError, match=r"import each other by `from .strokes import"):
        load_game("./links", tmp_path)


def test_a_folder_has_the_page_of_its_module_or_of_its_pages(tmp_path: Path) -> None:
    folder = make_game("mine", tmp_path)
    assert "Seven and a half: come closer" in read_rule_page(load_game("./mine", tmp_path))
    (folder / "pages").mkdir()
    (folder / "pages/mine.md").write_text("# As we play it\n")
    assert read_rule_page(load_game("./mine", tmp_path)) == "# As we play it\n"


def test_the_game_of_the_current_folder_is_named_by_a_dot(tmp_path: Path) -> None:
    folder = make_game("mine", tmp_path)
    rules = load_game(".", folder)
    assert trust_options([rules], folder) == "--trust-game . "
    assert (game_text(rules, folder), game_text(rules, tmp_path)) == (".:mine", "./mine:mine")
    assert is_game_path(".:mine")
    assert find_loaded_game(".:mine", folder) is rules


def test_the_hash_of_a_folder_is_of_what_its_game_imports_or_names(tmp_path: Path) -> None:
    folder = make_game("mine", tmp_path)
    assert [name for name, _ in list_hashed_files(folder)] == ["game.py"]
    for name, text in {
        "__init__.py": "",
        "cards/__init__.py": "from ..values import ACE\n",
        "cards/packs.py": "NAMES = 'names.txt'\n",
        "values.py": "ACE = 1\n",
        "words.py": "",
        "names.txt": "",
        "cards/names.txt": "",
        "pages/mine.md": "",
        "other_bot.py": "from .bot import MineBot\n",
        "results/game.py": "",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    game = folder / "game.py"
    game.write_text(f"{game.read_text()}\nfrom .cards import packs\nPARTS = {{'text': 'words:MyText'}}\n")
    counted = [name for name, _ in list_hashed_files(folder)]
    assert counted == [
        *("__init__.py", "cards/__init__.py", "cards/names.txt", "cards/packs.py", "game.py"),
        *("pages/mine.md", "values.py", "words.py"),
    ]
    before = digest_game(str(folder))
    for name in ("bot.py", "README.md", "test_game.py"):
        (folder / name).write_text("")
    assert digest_game(str(folder)) == before
    (folder / "values.py").write_text("ACE = 11\n")
    assert digest_game(str(folder)) != before


def test_names_of_every_deal_are_refused_for_something_else() -> None:
    def set_phase(self: Deal) -> None:
        self.phase = "bid"  # type: ignore[assignment]

    def play(self: Deal, seat: int) -> None: ...

    for members, named in (
        ({"play": play, "public": ()}, "play, public"),
        ({"begin_play": set_phase}, "phase"),
    ):
        with pytest.raises(TypeError, match=f"^Clash has its own {named}, which every deal has"):
            type("Clash", (Deal,), members)

    class Extended(Deal):
        def show(self, seat: int) -> None:
            super().show(seat)


def test_a_card_that_would_have_ended_the_turn_makes_no_world_rarer(tmp_path: Path) -> None:
    """A seat has drawn the queen to its three: with the six it would be bust, and have seen more events."""
    make_game("mine", tmp_path)
    rules = load_game("./mine", tmp_path)
    by_name = {str(card): card for card in rules.whole_pack.cards}
    small = with_pack(rules, [by_name[name] for name in ("QS", "4H", "3D", "6D")])
    hand: tuple[str, ...] = ()
    for number in range(100):
        match = small.match(2, f"few cards {number}")
        if match.seat_to_act == 0:
            match.apply(match.deal.legal_actions.actions[0])
            hand = tuple(map(str, match.deal.hands[0]))
        if hand == ("3D", "QS"):
            break
    assert hand == ("3D", "QS")
    view, rng = match.deal.view(0), Random(1)
    drawn = Counter(str(view.sample(rng).deal.dealt[1]) for _ in range(400))
    assert len(drawn) == 2
    assert all(160 < times < 240 for times in drawn.values()), drawn
