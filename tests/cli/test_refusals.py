"""Refused calls print one line with the cause and the remedy, exit with status 2, and write nothing."""

import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

FILES = {
    "mine.py": "class Good:\n    def act(self, view):\n        return view.legal[0]\n",
    "cox.py": "class Cox:\n    variants = ('cox',)\n    def act(self, view):\n        return view.legal[0]\n",
    "cup.toml": 'bots = ["random"]\n[[variants]]\nname = "lives"\nplayers = 4\n',
    "two.toml": 'bots = ["greedy", "random"]\nblocks = 2\n[[variants]]\nname = "lives"\nplayers = 2\n',
    "empty.jsonl": "",
    "empty/notes.txt": "",
}
"""Files in the folder of a call."""
LONG = "g" * 300
RUN = "run greedy random --variant lives --players 2 --set tokens=1 --blocks 6 --seed any --jobs 1"
NO_RUN = "empty holds no run: there is no arena.db in it"
MISSING = "'nowhere' does not exist. "
SHARD = "--shard takes the number of a shard and how many there are, as in 3/64"
TIME = "--time takes hours and minutes, as in 4:00, at least 0:01"
TOO_LONG = "a file's name has at most 255 bytes"
POLE = "this run has no 'pole'; the nearest is 'pool'"

COMMAND_LINE = [
    ("tabel", "there is no command 'tabel'; the nearest is 'table'. See `arena --help`."),
    ("replay sow", "there is no command 'sow'; the nearest is 'show'. See `arena replay --help`."),
    ("league nothing", "there is no command 'nothing'"),
    ("hand", "Missing argument 'VARIANT'. See `arena hand --help`."),
    ("docs protocl", "'protocol'"),
    *(
        (f"{words} -", "'-' is not a file: name one, or write ./- for a file called -.")
        for words in (
            "grade random --csv",
            "play --out",
            "train cuccu --out",
            "replay export --out",
            "league kit . --out",
        )
    ),
]
RUNS = [
    (f"{RUN} --players 5", "--players: a table of 5 needs 5 bots, but you named 2"),
    (f"{RUN} --players 0", "--players must be 1 or more, not 0"),
    (f"{RUN} --variant livs", "--game: no variant 'livs': the nearest is 'lives'"),
    (f"{RUN} --set tokns=4", "--set tokns: there is no such key; the nearest is 'tokens'"),
    (f"{RUN} --blocks 0", "--blocks must be 1 or more, not 0"),
    (f"{RUN} --blocks 9223372036854775808", "blocks must be at most 1,000,000,000"),
    (f"{RUN} greedy", "greedy is named twice"),
    (f"{RUN} nobody", "no bot is called 'nobody'"),
    (f"{RUN} nowhere.toml", "nowhere.toml: cannot be read: No such file or directory"),
    (f"{RUN} one.toml two.toml", "a run has one config, not one.toml and two.toml. "),
    (f"{RUN} --jobs 0", "Invalid value for '--jobs': "),
    (f"{RUN} --jobs 99999999999", "99999999999 is not in the range 1<=x<=1024"),
    (f"{RUN} --time-limit nan", "nan is not a number of seconds"),
    (f"{RUN} --isolation none", "Invalid value for '--isolation': 'none' is not one of 'auto', "),
    ("run gredy random", "no bot is called 'gredy'; the nearest is 'greedy'"),
    ("run ./nowhere", "there is no folder /"),
    ("run cup.toml greedy prudent", "variants[0].players: lives is set for 4 players, but you named 2 bots: "
     "add --players 2 (line 4)"),
    ("run mine.py:Godo greedy --players 9", "mine.py has no class Godo; the nearest is 'Good'; fix it, or "
     "leave it out with --without mine.py:Godo"),
    ("run two.toml --mix x", "--mix requires"),
    ("run two.toml --commit --seed mine", "leave --seed out"),
    *((f"run {bot} random", TOO_LONG) for bot in (LONG, f"{LONG}.py", f"./{LONG}", f"cmd:{LONG}")),
    *((f"run two.toml --shard {text}", SHARD) for text in ("0/2", "3/2", "1", "a/b", "1/2/3", "1/1000000")),
    ("run two.toml --shard 1/2", "the shards of a run need one seed: give all of them the same --seed TEXT"),
    *(
        (f"slurm two.toml --tasks 3 --time {time}", TIME)
        for time in ("4", "0:00", "1-0:00", "4:60", "abc")
    ),
    ("resume nowhere", MISSING),
    ("resume empty", NO_RUN),
]  # fmt: skip
TABLES = [
    ("table nowhere", MISSING),
    ("table empty", NO_RUN),
    *(
        (f"table PLAYED {flag} --variant pole", POLE)
        for flag in ("", "--show=matrix", "--show=times", "--show=exceptions")
    ),
    ("table PLAYED --show rounds", "--show rounds: a round-robin like this run has none; leave it out"),
    ("table PLAYED --control 5", "--control requires --show seats."),
    ("table PLAYED --show matrix --control 5", "--control requires --show seats."),
    ("table PLAYED --show seats --control 0", "Invalid value for '--control': "),
    ("table PLAYED --show matrix --adjust luck", "--adjust is for the ratings"),
    ("table PLAYED --show matrix --anytime", "--anytime is for the ratings"),
    *(
        (f"table PLAYED --anchor {anchor}", "greedy")
        for anchor in ("greedy", "greedy=", "=1500", "greedy=x", "greedy=nan", "gredy=1500")
    ),
    ("plan PLAYED greedy", "Name two bots, or none for all adjacent pairs."),
    ("plan PLAYED greedy greedy", "greedy cannot be compared with itself: name two bots"),
    ("plan PLAYED greedy nobody", "no bot in the run is called 'nobody'; "),
    ("plan PLAYED --confidence 100", "Invalid value for '--confidence': "),
    ("plan PLAYED --variant pole", POLE),
    ("why greedy gredy PLAYED", "no bot of this run is called 'gredy'; the nearest is 'greedy'"),
    ("why greedy greedy PLAYED", "greedy cannot be compared with itself: name two bots"),
    ("why greedy random PLAYED --chances 2", "require --html"),
    ("why greedy random PLAYED --by prudent", "require --html"),
    ("watch empty", "holds no run"),
    ("verify PLAYED --sample-seed any", "requires --play-again or --sample"),
]
FILES_AND_PAGES = [
    ("report empty", "holds no run"),
    *(
        (f"figure PLAYED --out elo.svg {words}", message)
        for words, message in (
            ("--kind matrix", "several games, choose one by --game and --players: lives(tokens=1), 3 pl"),
            ("--kind history --game pool", "there are too few blocks yet for the figure history"),
            ("--variant cox", "this run has no 'cox'"),
            ("--players 9", "no game here has 9 players"),
            ("--colors red", "'red' is not a color: write it as #175c42."),
            ("--width 30", "a figure 30 mm wide has no room for text of 9 pt"),
            ("--out elo.gif", "elo.gif must end in .svg, .pdf or .png"),
        )
    ),
    *(
        (f"replay {command} PLAYED --out it.jsonl {words}".replace("--out it.jsonl ", out), message)
        for command, out in (("list", ""), ("export", "--out it.jsonl "))
        for words, message in (
            ("--bot gredy", "is called 'gredy'; the nearest is 'greedy'"),
            ("--variant pol", "is of the variant 'pol'; the nearest is 'pool'"),
            ("--block nowhere", "is of the block 'nowhere'; "),
        )
    ),
    ("replay list PLAYED --worst gredy", "is called 'gredy'; the nearest is 'greedy'"),
    ("replay list nowhere", MISSING),
    ("replay export nowhere", MISSING),
    ("replay export empty", NO_RUN),
    ("replay export PLAYED --out PLAYED/arena.db", "arena.db already exists"),
    ("replay show PLAYED --html --out mine.py", "mine.py already exists"),
    ("replay show PLAYED --html --deal 1", "the page has all deals"),
    ("replay show PLAYED --by greedy", "--by requires --chances"),
    ("replay show PLAYED --chances 2 --by cmd:./bot", "is not built in"),
    ("replay show PLAYED --shadow greedy", "--shadow requires --html"),
    ("replay show PLAYED --html --isolation process", "--isolation requires --shadow"),
    *(
        (f"replay show PLAYED --html --shadow {shadow}", message)
        for shadow, message in (
            ("gredy", "no bot is called 'gredy'"),
            ("greedy,", "no bot"),
            ("'greedy(deep'", "a bracket is missing"),
            ("cox.py:Cox", "cox.py:Cox does not play lives"),
            ("mine.py:Other", "mine.py has no class Other; there are Good"),
        )
    ),
]
BOTS = [
    ("check gredy", "no bot and no game is called 'gredy'; the nearest is 'greedy'"),
    ("check greedy --variant livs", "no variant 'livs': the nearest is 'lives'"),
    ("check submitted", "no bots have been submitted to "),
    ("check mine.py:Nobody --isolation inline", "has no class Nobody"),
    ("check no-such-thing --as game", "no variant 'no-such-thing'"),
    *(
        (f"check lives {option}", f"lives is a game: {option.split()[0]} is for bots.")
        for option in ("--isolation inline", "--game lives", "--debug")
    ),
    ("submit", "Name a BOT to submit, or --rename"),
    ("submit mine.py:Good --remove x", "Name a BOT to submit, or --rename"),
    ("submit ./nowhere", "there is no folder"),
    ("submit --remove shark", "no submission is called 'shark'; there are none"),
    ("submit mine.py:Good --name 'a b'", "name: 'a b' is not 1 to 40 letters"),
    ("submit mine.py:Good --name zoë", "name: 'zoë' is not 1 to 40 letters (a to z, A to Z), digits, "),
    ("submit mine.py:Good cox.py:Cox --name both", "--name is for one BOT"),
    ("snapshot greedy", "greedy is an installed bot"),
    ("snapshot mine.py a/b", "name: 'a/b' is not"),
]
GAMES = [
    ("variants livs", "no variant 'livs': the nearest is 'lives'; there are "),
    ("hand lives '7X 7D AS'", "'7X' is no card of the 52-card pack"),
    ("hand lives 7C --set tokns=5", "no option 'tokns': the nearest is 'tokens'"),
    ("hand lives 7C --set tokens", "Invalid value for '--set': 'tokens' sets nothing: write KEY=VALUE, such "
     "as tokens=5. See `arena hand --help`."),
    ("hand lives '9S 9H 9D 9C'", "a hand of lives has 3 cards, not 4 (Rules.hand_sizes)"),
    ("hand lives '7C 7D AS' --number 1", "lives has no player numbers: leave out --number"),
    *(
        (f"play {words}", message)
        for words, message in (
            ("livse", "the nearest is 'lives'"),
            ("--against gredy", "the nearest is 'greedy'"),
            ("--players 99", "lives cannot be dealt to 99"),
            ("--players 2 --against greedy,greedy", "there is room for 1 bot, not 2"),
            ("--seat 4", "--seat 4: the seats are 0 to 3"),
            ("--set tokens=0", "tokens is from 1 to"),
            ("--out .", "exists already"),
            ("--out nowhere/mine.jsonl", "the folder nowhere does not exist"),
            ("--rival greedy", "--rival, --practice and --guide require --browser"),
            ("--practice", "--rival, --practice and --guide require --browser"),
            ("--guide", "--rival, --practice and --guide require --browser"),
        )
    ),
]  # fmt: skip
CLUSTER = [
    ("--cluster nowhere", "'nowhere' is not a scheduler's address: write tcp://HOST:8786"),
    ("--cluster tls://host:1", "tls://host:1 needs a certificate: give --tls-ca"),
    ("--cluster tcp://localhost:1 --jobs 2", "--jobs is about this machine's workers"),
    ("--cluster tcp://localhost:1 --start fork", "--start is about this machine's workers"),
    ("--tls-ca mine.py", "require --cluster tls://"),
    ("--cluster tls://host:1 --tls-ca mine.py", "go together"),
]
CALLS = [*COMMAND_LINE, *RUNS, *TABLES, *FILES_AND_PAGES, *BOTS, *GAMES]
if find_spec("distributed"):
    CALLS += [(f"run {options}", message) for options, message in CLUSTER]


@pytest.mark.parametrize(("call", "message"), CALLS, ids=[call[:60] for call, _ in CALLS])
def test_a_refused_call_prints_one_line_and_writes_nothing(
    arena: Arena, here: Path, played: Path, call: str, message: str
) -> None:
    for name, text in FILES.items():
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text(text)
    stored = (played / "arena.db").read_bytes()
    result = arena(*(word.replace("PLAYED", str(played)) for word in shlex.split(call)), stdin=b"")
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.startswith("arena: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert max(map(len, result.stderr.split())) <= 200
    left = {path for path in here.rglob("*") if path.is_file()} - {here / "submissions/.lock"}
    assert left == {here / name for name in FILES}
    assert (played / "arena.db").read_bytes() == stored
