"""Refusals of configs and of league.toml, each with the right value."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.league.settings import make_settings
from arena.tournament.setup.config import make_config

BASE: dict[str, Any] = {
    "bots": ["random", "greedy", "prudent", "counter"],
    "variants": [{"name": "lives"}],
}
CONFIG = """
blocs = 3
> blocs: there is no such key; the nearest is 'blocks'
variants = [{name = "lives", seed = "x"}]
> variants[0].seed: seed belongs above the first [table]: in TOML a key belongs to the last*
variants = {name = "lives"}
> variants: write [[variants]], with two brackets, above each of its entries, not [variants]
blocks = 0
> blocks must be 1 or more, not 0
blocks = "many"
> blocks must be a whole number, not 'many'
blocks = true
> blocks must be a whole number, not true
blocks = 100000000000000000000
> blocks must be at most 1,000,000,000, not 100000000000000000000
replays = 100000000000000000000
> replays must be at most 1,000,000,000, not 100000000000000000000
max_blocks = 9223372036854775808
> max_blocks must be at most 1,000,000,000, not 9223372036854775808
seed = 42
> seed must be a text, not 42
seed = "s\\u001b[31m"
> seed: 's\\x1b[31m' has characters that do not print
title = "a\\u001b"
> title: 'a\\x1b' has characters that do not print, or more than 1000
same_team = "no"
> same_team must be true or false, not 'no'
withdrawn = {gredy = 3}
> withdrawn: no bot is called 'gredy'; the nearest is 'greedy'
withdrawn = {greedy = 3}
> withdrawn: no bot can be withdrawn from a round-robin
withdrawn = {greedy = -1}
> withdrawn: each value must be 0 or more
isolation = "jail"
> isolation must be one of auto, inline, process, wasm, landlock, sandbox, not 'jail'
limits = 3
> limits must be a table, not 3
limits = {memory = 3}
> limits.memory: there is no such key; the nearest is 'memory_mb'
limits = {memory_mb = 0}
> limits.memory_mb must be 1 or more, not 0
limits = {faults = 10000000000}
> limits.faults must be at most 1,000,000,000, not 10000000000
without = "ann"
> without: is an array of names, such as ["ann"], not 'ann'
"""
BOTS = """
bots = "greedy"
> bots must be an array, not 'greedy'
bots = ["greedy"]
> bots: there is only greedy; a tournament needs at least two
bots = []
> bots: the array is empty
bots = ["greedy", {bot = "random", depth = 100000000000000000000}]
> bots[1]: depth: a whole number has 64 bits at most
bots = ["greedy", {bot = "random", name = ""}]
> bots[1]: name is empty: leave it out, or write a visible name
bots = ["greedy", {bot = "random", name = " "}]
> bots[1]: name is empty: leave it out, or write a visible name
bots = ["greedy", {bot = "random", nmae = "x"}]
> bots[1]: unknown key 'nmae' (it would be passed on as a bot setting); did you mean 'name'?
bots = ["greedy", {bot = "random", teams = "x"}]
> bots[1]: unknown key 'teams' (it would be passed on as a bot setting); did you mean 'team'?
bots = ["greedy", {bot = "random", Name = "x"}]
> bots[1]: unknown key 'Name' (it would be passed on as a bot setting); did you mean 'name'?
bots = ["random", "gredy"]
> bots[1]: no bot is called 'gredy'; the nearest is 'greedy'
bots = ["random", "random"]
> bots: random is named twice; in a config {bot = "random", name = "twin"} gives one another name
bots = ["random", 7]
> bots[1]: 7 is not a bot: write "greedy", or {bot = "greedy"} and its settings
bots = ["random", {bot = "greedy", name = "=cmd|' /C calc'!A0"}]
> bots: "=cmd|' /C calc'!A0" cannot be a name: a spreadsheet would take it for a formula*
bots = ["random", {bot = "greedy", name = "+1"}]
> bots: '+1' cannot be a name: a spreadsheet would take it for a formula*
bots = ["random", {bot = "greedy", name = "-1"}]
> bots: '-1' cannot be a name: a spreadsheet would take it for a formula*
bots = ["random", {bot = "greedy", name = "@x"}]
> bots: '@x' cannot be a name: a spreadsheet would take it for a formula*
"""
FORMATS = """
format = "swis"
> format must be one of comparison, exploit, gauntlet, grading, knockout, ladder, round-robin, selection*
tables = "some"
> tables must be "all" or a whole number from 1 to 1,000,000,000, not 'some'
tables = 1.5
> tables must be "all" or a whole number from 1 to 1,000,000,000, not 1.5
rounds = 5
> rounds: is for the format swiss, not for round-robin
hero = "greedy"
> hero: is for the format gauntlet, not for round-robin
ended_after = 5
> ended_after: is for the format exploit or knockout or swiss, not for round-robin
format = "swiss"; rounds = "many"
> rounds must be a whole number, not 'many'
format = "swiss"; tables = 5
> tables: is for the format gauntlet or round-robin, not for swiss
format = "swiss"; until_resolved = true
> until_resolved: is for the format gauntlet or round-robin, not for swiss
format = "swiss"; fixed = true
> fixed: is for the format comparison, not for swiss
format = "swiss"; sprt = [0, 5]
> sprt: is for the format comparison, not for swiss
format = "swiss"; max_blocks = 5
> max_blocks: is for the format comparison or gauntlet or grading or knockout or ladder or*
format = "swiss"; variants = [{name = "lives", players = 3}, {name = "pool", players = [2, 3]}]
> variants: in a swiss each table plays all games, so they take one number of players, not 2 and 3
format = "knockout"; variants = [{name = "lives", players = 3}, {name = "pool", players = [2, 3]}]
> variants: in a knockout each table*
format = "ladder"; variants = [{name = "lives", players = 3}, {name = "pool", players = [2, 3]}]
> variants: in a ladder each table*
format = "ladder"; blocks = 10; max_blocks = 20; variants = [{name = "lives", players = 2}]
> max_blocks: the last of 4 bots joins after 20 blocks, but the ladder ends after 20;*
format = "gauntlet"; hero = "gredy"
> hero: no bot is called 'gredy'; the nearest is 'greedy'
format = "gauntlet"; variants = [{name = "lives", players = 2, bots = ["greedy", "counter"]}]
> variants.bots: is for the format round-robin, not for gauntlet
format = "comparison"; sprt = [1]
> sprt must be an array of two, not [1]
format = "comparison"; sprt = [0, inf]
> sprt: takes two finite Elo differences, such as 0 and 20
format = "comparison"; sprt = [5, 5]
> sprt: the first Elo must be below the second, not 5 and 5
format = "comparison"; sprt = [0, 5]; fixed = true
> fixed: the test of sprt decides when to stop: remove one of the two
format = "comparison"; sprt = [0, 5]; confidence = 90
> confidence: the test of sprt decides when to stop: remove one of the two
format = "comparison"; confidence = 100
> confidence must be less than 100, not 100
format = "comparison"; alone = true
> alone: takes two bots and no field
format = "comparison"; goal = "best"
> goal: is for the format selection, not for comparison
format = "comparison"; variants = [{name = "lives", players = [2, 3]}]
> variants: a comparison takes one game with one number of players
format = "selection"; candidates = 5
> candidates: 5 of 4 bots; a selection takes 2 to 100
format = "selection"; candidates = 1
> candidates: 1 of 4 bots; a selection takes 2 to 100
format = "selection"; alone = true
> alone: is for the format comparison, not for selection
format = "selection"; goal = "worst"
> goal must be one of best, rank, not 'worst'
format = "selection"; variants = [{name = "lives", players = [2, 3]}]
> variants: a selection takes one game with one number of players
format = "grading"; bots = ["greedy"]
> bots: there is only greedy; a tournament needs at least two
"""
GAMES = """
variants = []
> variants: the array is empty
variants = ["lives"]
> variants[0] must be a table with a name, such as name = "lives"
variants = [{players = 4}]
> variants[0] must be a table with a name, such as name = "lives"
variants = [{name = "livs"}]
> variants[0]: no variant 'livs': the nearest is 'lives'*
variants = [{name = "lives", tokns = 5}]
> variants[0].tokns: there is no such key; the nearest is 'tokens'
variants = [{name = "lives", player = 5}]
> variants[0].player: there is no such key; the nearest is 'players'
variants = [{name = "lives", tokens = "five"}]
> variants[0]: tokens is a whole number, not 'five'
variants = [{name = "lives", players = []}]
> variants[0].players must be an array that is not empty, not []
variants = [{name = "lives", players = "4"}]
> variants[0].players[0] must be a whole number, not '4'
variants = [{name = "lives", players = 17}]
> variants[0].players: lives cannot be dealt to 17: it is for 2 to 16*
variants = [{name = "lives", players = 1}]
> variants[0].players: lives cannot be dealt to 1: it is for 2 to 16*
variants = [{name = "lives", bots = ["random", "gredy", "counter", "prudent"]}]
> variants[0].bots: no bot is called 'gredy'; the nearest is 'greedy'
variants = [{name = "lives", bots = ["random", "random", "greedy", "counter"]}]
> variants[0].bots: a bot is named twice
variants = [{name = "lives", players = 4, bots = ["random", "greedy"]}]
> variants[0].players: lives is set for 4 players, but there are 2 bots: set players = 2*
variants = [{name = "lives", players = [4, 5]}]
> variants[0].players: lives is set for 5 players, but there are 4 bots: set players = 4*
variants = [{name = "lives", blocks = 0}]
> variants[0].blocks must be 1 or more, not 0
variants = [{name = "pool"}, {name = "lives"}, {name = "commerce", tokens = 3, players = [2, 4]}]
> variants[2].players: lives with 4 players is listed twice
variants = [{name = "lives", players = 2, bots = ["greedy", "prudent"], blocks_with = {counter = 2}}]
> variants[0].blocks_with: 'counter' does not play this game; there are greedy, prudent
variants = [{name = "lives", blocks_with = {greedy = 0}}]
> variants[0].blocks_with: each value must be 1 or more
variants = [{name = "lives", blocks_with = ["greedy"]}]
> variants[0].blocks_with must be a table, not ['greedy']
until_resolved = true; variants = [{name = "lives", players = 2, bots = ["greedy", "counter"]}]
> until_resolved: takes the same bots and blocks for all games: remove bots from [[variants]]
until_resolved = true; variants = [{name = "lives", blocks_with = {greedy = 2}}, {name = "pool", blocks = 9}]
> until_resolved: takes the same bots and blocks for all games: remove blocks and blocks_with*
without = ["counter"]; variants = [{name = "lives", bots = ["counter"]}]
> variants[0].bots: all bots of lives are left out: keep two of them, or remove the game
without = ["counter"]; variants = [{name = "lives", bots = ["counter", "greedy"]}]
> variants[0].players: a table of 2 needs 2 bots, but there are 1
without = ["counter"]; variants = [{name = "lives", bots = ["counter", "gredy"]}]
> variants[0].bots: no bot is called 'gredy'; the nearest is 'greedy'
without = ["counter"]; variants = [{name = "lives", bots = ["counter", 3]}]
> variants[0].bots[1] must be a text, not 3
games = ["scat"]
> games[0] must be a table with a name and a base, such as base = "thirty-one"
games = [{name = "scat"}]
> games[0] must be a table with a name and a base, such as base = "thirty-one"
games = [{name = "scat", base = "livs"}]
> games[0]: no variant 'livs': the nearest is 'lives'*
games = [{name = "scat", base = "lives", tokns = 3}]
> games[0].tokns: there is no such key; the nearest is 'tokens'
games = [{name = "scat", base = "lives", tokens = "two"}]
> games[0]: tokens is a whole number*
games = [{name = "Scat!", base = "lives"}]
> games[0]: 'Scat!' cannot be the name of a game*
games = [{name = "pool", base = "lives"}]
> games[0]: pool is an installed game*
games = [{name = "scat", base = "lives", title = "two\\nlines"}]
> games[0].title must be a text that can be printed
games = [{name = "scat", base = "lives", page = "\\u001b[31m"}]
> games[0].page must be a text that can be printed
games = [{name = "scat", base = "thirty-one(pack=8)", players = 9}]
> games[0].players: there is no such key*
games = [{name = "scat", base = "lives"}, {name = "scat", base = "lives"}]
> games[1]: scat is defined twice
"""
LEAGUE = """
precison = 3
> precison: there is no such key; the nearest is 'precision'
precision = 0.1
> precision must be 1 or more, not 0.1
blocks = 0
> blocks must be 1 or more, not 0
deadline = 2026-12-18T00:00:00
> deadline must be a time with a time zone, such as 2026-12-18T23:59:00+01:00, not *
limits = {fault = 1}
> limits.fault: there is no such key*
limits = {precision = 1}
> limits.precision: precision belongs above the first [table]*
variants = [{name = "lives", precision = 25}]
> variants[0].precision: precision belongs above the first [table]*
submitters = {ann = ["ann"], blocks = 300}
> submitters.blocks: blocks belongs above the first [table]*
submitters = {ann = "ann"}
> submitters: each value must be an array
teams = {ann = "reds"}
> teams: 'ann' is not in the table [submitters]
variants = {name = "lives"}
> variants: write [[variants]], with two brackets*
isolation = "none"
> isolation must be one of auto, inline, process, wasm, landlock, sandbox, not 'none'
counting_version = "first"
> counting_version must be one of latest, best, not 'first'
variants = []
> variants: the array is empty
variants = [{name = "lives", players = 90}]
> variants[0].players: lives cannot be dealt to 90*
variants = [{name = "lives", blocks = 9}]
> variants[0].blocks: is for a round robin; the league decides who plays; the league's blocks belongs above*
variants = [{name = "lives"}, {name = "lives"}]
> variants[1].players: lives with 4 players is listed twice
title = "a\\u001b[31m"
> title: 'a\\x1b[31m' has characters that do not print
submitters = {"a/b" = ["x"]}
> submitters: 'a/b' is not the name of a folder in inbox/
aliases = true; show_authors = true
> aliases: would hide what show_authors shows: set one of the two to false
"""


def read(cases: str) -> list[tuple[str, str]]:
    """Return the TOML of each case, whose statements have semicolons between them, and its message."""
    lines = cases.strip().split("\n")
    return list(zip(lines[::2], [line.removeprefix("> ") for line in lines[1::2]], strict=True))


@pytest.mark.parametrize(("toml", "message"), read(CONFIG) + read(BOTS) + read(FORMATS) + read(GAMES))
def test_a_config_is_refused_with_what_would_be_right(toml: str, message: str) -> None:
    table = {**BASE, **tomllib.loads(toml.replace("; ", "\n"))}
    with pytest.raises(ConfigError) as refused:
        make_config(table, base=Path(), where="here")
    assert str(refused.value).startswith(f"here: {message.removesuffix('*')}")
    assert message.endswith("*") or str(refused.value) == f"here: {message}"


@pytest.mark.parametrize(("toml", "message"), read(LEAGUE))
def test_settings_are_refused_with_what_would_be_right(toml: str, message: str) -> None:
    table = {"variants": BASE["variants"], **tomllib.loads(toml.replace("; ", "\n"))}
    with pytest.raises(ConfigError) as refused:
        make_settings(table, "here")
    assert str(refused.value).startswith(f"here: {message.removesuffix('*')}")
    assert message.endswith("*") or str(refused.value) == f"here: {message}"
