"""The feedback for whoever improves a bot: `arena check`, `grade` and `why`, and a count of the tries.

    python feedback.py try              # what TASK.md allows; prints JSON
    python feedback.py mark --seed TEXT # the last mark, on fresh deals; it needs CLIMB_EXAMINER=1

A try is counted in `tries.jsonl` before it is graded. Whoever can write beside this file, or run a copy, can
have more: so the examiner runs it, where the one who climbs can write in `bot` alone.
"""

import argparse
import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BOT, GRADINGS, LOG = HERE / "bot", HERE / "gradings", HERE / "tries.jsonl"
GAME = ["--game", "cuccu"]
TABLE = ["--players", "3"]
SEED = "the deals of all tries"
MAX_TRIES = 20


def arena(*words):
    """Return the exit status of a command and what it printed as JSON."""
    command = [sys.executable, "-m", "arena", "-q", *map(str, words), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.startswith(("[", "{")):
        raise SystemExit(done.stderr.strip() or f"{command} failed")
    return done.returncode, json.loads(done.stdout)


def grade(options, seed, out):
    """Return whether the bot reached the rung asked for, and its grading."""
    at_least = ["--at-least", options.at_least] if options.at_least else []
    words = ["--seed", seed, "--out", out, "--isolation", options.isolation, *at_least]
    status, [grading] = arena("grade", BOT, *GAME, *TABLE, *words)
    return status == 0, grading


def try_bot(options):
    """Return the feedback to a bot: its flaws, or its rung and where the bot of the next one did better."""
    words = ["--matches", "2", "--isolation", options.isolation]
    status, card = arena("check", BOT, *GAME, *words)
    if status:
        return {"flaws": card["flaws"]}
    left = count_try(card["content"])
    reached, grading = grade(options, SEED, GRADINGS / card["content"][:16])
    lessons, following = [], grading["results"][-1]
    if not (reached and options.at_least) and not following["beaten"]:
        _, why = arena("why", grading["bot"], following["bot"], grading["folder"])
        lessons = [lesson for lesson in why["lessons"][0] if lesson["clear"]]
    return {
        "tries left": left,
        "rung": grading["rung"],
        "beats": grading["beats"],
        "reached": reached,
        "next": {key: following[key] for key in ("bot", "score", "error", "beaten")},
        "lessons": lessons,
    }


def count_try(content):
    """Return the tries left after that of a bot with this hash, written down unless it was tried before."""
    with LOG.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        tried = []
        for number, line in enumerate(file, 1):
            try:
                tried.append(json.loads(line)["content"])
            except (ValueError, LookupError, TypeError):
                why = "is no try, or was cut off: the examiner mends it"
                raise SystemExit(f"{LOG}: line {number} {why}") from None
        if content not in tried:
            if len(tried) >= MAX_TRIES:
                raise SystemExit(f"all {MAX_TRIES} tries are used")
            tried.append(content)
            file.write(json.dumps({"try": len(tried), "content": content}) + "\n")
            file.flush()
            os.fsync(file.fileno())
    return MAX_TRIES - len(tried)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["try", "mark"])
    parser.add_argument("--at-least", default="", help="the rung to reach")
    parser.add_argument("--seed", help="for the last mark: deals that nobody has seen")
    parser.add_argument("--isolation", default="auto")
    options = parser.parse_args()
    if (options.action == "mark") != bool(options.seed):
        parser.error("--seed is for mark, and mark needs it")
    if options.action == "mark" and not os.environ.get("CLIMB_EXAMINER"):
        parser.error("mark is for the examiner, who sets CLIMB_EXAMINER=1")
    if options.action == "try":
        feedback = try_bot(options)
    else:
        reached, grading = grade(options, options.seed, GRADINGS / "mark")
        feedback = {key: grading[key] for key in ("rung", "beats", "seed")} | {"reached": reached}
    sys.stdout.write(json.dumps(feedback, indent=2) + "\n")


if __name__ == "__main__":
    main()
