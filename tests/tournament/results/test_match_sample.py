"""A report's data is collected in one pass, and the matches it shows are spread over all of it."""

from pathlib import Path

import pytest

from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.files import RunFolder
from arena.tournament.run import Run, replay_sample
from arena.tournament.setup.config import make_config
from tests.tournament.tallies import tally_blocks


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Forty blocks of a game that is over soon, twenty of another."""
    folder = tmp_path_factory.mktemp("results") / "run"
    games = [{"name": "cuccu", "players": 2, "tokens": 1}, {"name": "lives", "players": 3, "tokens": 1}]
    table = {"bots": ["greedy", "random", "stand-pat"], "variants": games, "blocks": 20, "seed": "any text"}
    played = Run.create(make_config(table, base=Path(), where="the test"), RunFolder.create(folder))
    played.play(RunOptions())
    return played


def test_it_counts_what_the_tallies_count(run: Run) -> None:
    results = run.read_results()
    assert results.matches == sum(len(result.matches) for _, result in run.outcomes())
    names = tuple(bot.name for bot in run.config.bots)
    for game, tally in tally_blocks(run.outcomes(), names).items():
        same = results.games[game].pair_counts
        assert same.points().tolist() == tally.pair_counts().points().tolist()


def test_of_many_matches_some_are_picked_evenly_from_every_game(run: Run) -> None:
    picked = run.read_results(sample_size=24).sample
    assert len(picked) <= 24
    games = [str(sampled.rules) for sampled in replay_sample(run, picked)]
    assert {game: games.count(game) for game in set(games)} == {"cuccu(tokens=1)": 12, "lives(tokens=1)": 12}
    places = [match.place for match in picked]
    assert max(places) - min(places) > 40  # of 80


def test_of_few_matches_all_are_picked(run: Run) -> None:
    results = run.read_results(sample_size=2000)
    assert [sampled.number for sampled in results.sample] == list(range(1, results.matches + 1))


def test_a_picked_match_is_the_one_of_its_number(run: Run) -> None:
    records = list(run.records())
    for sampled, _, deals in replay_sample(run, run.read_results(sample_size=20).sample):
        assert sampled.address.encode() in records[sampled.number - 1]
        assert f'"rotation":{sampled.rotation}'.encode() in records[sampled.number - 1]
        assert all(f'"{bot}"'.encode() in records[sampled.number - 1] for bot in sampled.bots)
        assert len(deals) == records[sampled.number - 1].count(b'"dealer"')


def test_the_first_faults_are_among_those_picked(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, view):\n        raise ValueError\n")
    table = {
        "bots": ["bad.py:Bad", "random", "greedy"],
        "variants": [{"name": "cuccu", "players": 2, "tokens": 1}],
        "blocks": 10,
        "seed": "any text",
        "isolation": "inline",
    }
    config = make_config(table, base=tmp_path, where="the test")
    bad = Run.create(config, RunFolder.create(tmp_path / "run"), choose_levels(config, confirmed="inline"))
    bad.play(RunOptions())
    results = bad.read_results(sample_size=20)
    records = list(bad.records())
    faulty = [number for number, record in enumerate(records, 1) if b'"faults":[]' not in record]
    assert set(faulty[:2]) <= {sampled.number for sampled in results.sample}
    assert set(results.faults) == {("bad.py:Bad", "crash")}
    assert results.faults.total() == sum(record.count(b'"kind":"crash"') for record in records)
    assert len(results.sample) in (19, 20)  # one may be drawn that is there already
