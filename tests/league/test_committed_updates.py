"""Each update of a league has a seed that is committed to before, and revealed after it."""

from hashlib import sha256

from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.league.store import LeagueDatabase
from arena.output.site.content import SiteContent
from arena.output.site.requests import updates_page
from arena.tournament.schedule import deal_seed
from tests.league.test_update import league, update  # noqa: F401


def deals(folder: LeagueFolder) -> dict[int, tuple[str, str]]:
    """Address of each block played, and the seed in its record."""
    with LeagueResults.open(folder.path) as results:
        return {
            number: (block.address, str(results.records(number)[0].seed))
            for number, block in results.played_blocks()
        }


def test_each_update_deals_from_the_seed_it_was_committed_to(league: LeagueFolder) -> None:  # noqa: F811
    with LeagueResults.open(league.path) as results:
        before = results.committed_seed(1)
    assert before is not None
    update(league)
    first = deals(league)
    assert first
    for address, seed in first.values():
        assert seed == deal_seed(sha256(f"{before.secret}\n".encode()).hexdigest(), address)
    update(league, more=True)
    with LeagueResults.open(league.path) as results:
        after = results.committed_seed(2)
        page = updates_page(SiteContent(results))
    assert after is not None
    for number, (address, seed) in deals(league).items():
        assert seed == (first[number][1] if number in first else deal_seed(after.seed, address))
    shown = {row["update"]: row for row in page.data["updates"]}
    assert shown[1]["commitment"] == sha256(shown[1]["secret"].encode()).hexdigest()
    assert before.secret == shown[1]["secret"]
    assert f"update {len(shown) + 1} is committed to as " in " ".join(page.sections[0].notes)


def test_a_league_of_an_older_version_commits_from_its_next_update_on(
    league: LeagueFolder,  # noqa: F811
) -> None:
    with LeagueDatabase.open(league.path, "rw") as database:
        with database.transaction() as connection:
            connection.execute("DELETE FROM fact WHERE name = 'committed_from'")
        assert database.committed_seed(1) is None
        seed = database.seed
    update(league)
    assert all(given == deal_seed(seed, address) for address, given in deals(league).values())
    with LeagueResults.open(league.path) as results:
        assert results.committed_seed(1) is None
        assert results.committed_seed(2) is not None
