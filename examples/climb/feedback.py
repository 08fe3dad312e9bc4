"""The feedback for whoever improves a bot: `arena check`, `grade` and `why`, and a count of the tries.

    python feedback.py try              # what TASK.md allows; prints JSON
    python feedback.py mark --seed TEXT # the last mark, on fresh deals; for the examiner

Keep this file, and `--log`, where the one who climbs cannot write: the log has each try with the bot's hash.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
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
    status, [grading] = arena("grade", options.bot, *GAME, *TABLE, *words)
    return status == 0, grading


def try_bot(options):
    """Return the feedback to a bot: its flaws, or its rung and where the bot of the next one did better."""
    status, card = arena("check", options.bot, *GAME, "--matches", "2", "--isolation", options.isolation)
    if status:
        return {"flaws": card["flaws"]}
    lines = options.log.read_text().splitlines() if options.log.exists() else []
    tried = [json.loads(line)["content"] for line in lines]
    is_new = card["content"] not in tried
    if is_new and len(tried) >= MAX_TRIES:
        raise SystemExit(f"all {MAX_TRIES} tries are used")
    reached, grading = grade(options, SEED, options.out / card["content"][:16])
    if is_new:
        with options.log.open("a") as file:
            line = {"try": len(tried) + 1, "content": card["content"], "rung": grading["rung"]}
            file.write(json.dumps(line) + "\n")
    lessons, following = [], grading["results"][-1]
    if not (reached and options.at_least) and not following["beaten"]:
        _, why = arena("why", grading["bot"], following["bot"], grading["folder"])
        lessons = [lesson for lesson in why["lessons"][0] if lesson["clear"]]
    return {
        "tries left": MAX_TRIES - len(tried) - is_new,
        "rung": grading["rung"],
        "beats": grading["beats"],
        "reached": reached,
        "next": {key: following[key] for key in ("bot", "score", "error", "beaten")},
        "lessons": lessons,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["try", "mark"])
    parser.add_argument("--bot", type=Path, default=HERE / "bot")
    parser.add_argument("--out", type=Path, default=HERE / "gradings")
    parser.add_argument("--log", type=Path, default=HERE / "tries.jsonl")
    parser.add_argument("--at-least", default="", help="the rung to reach")
    parser.add_argument("--seed", help="for the last mark: deals that nobody has seen")
    parser.add_argument("--isolation", default="auto")
    options = parser.parse_args()
    if (options.action == "mark") != bool(options.seed):
        parser.error("--seed is for mark, and mark needs it")
    if options.action == "try":
        feedback = try_bot(options)
    else:
        reached, grading = grade(options, options.seed, options.out / "mark")
        feedback = {key: grading[key] for key in ("rung", "beats", "seed")} | {"reached": reached}
    sys.stdout.write(json.dumps(feedback, indent=2) + "\n")


if __name__ == "__main__":
    main()
