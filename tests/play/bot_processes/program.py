"""A program that speaks lines of JSON, written from docs/protocol.md alone; a word tells it how to fail."""

import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

HOW = sys.argv[1] if len(sys.argv) > 1 else "well"
before: list[int] = []


def say(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def messages() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def begin() -> None:
    if HOW == "mute":
        time.sleep(1000)
    if HOW == "gone":
        sys.exit("I would rather not")
    if HOW == "nonsense":
        sys.stdout.write("Loading, please wait ...\n")
    say({"t": "ready", "v": 2 if HOW == "newer" else 1, "events": HOW != "deaf", "pleased": True})
    if HOW == "hasty":
        for m in range(50):
            say({"t": "action", "m": m, "action": 0})
    if HOW == "leaving":
        sys.exit(0)
    if HOW == "flooding":
        while True:
            say({"t": "thought", "words": "hm " * 1000})


def answer(message: dict[str, Any]) -> None:
    m, legal = message["m"], message["view"]["legal"]
    quiet = "pass" if "pass" in legal else legal[-1]
    if HOW == "talkative":
        sys.stdout.write('{"t":""}\n' * 10_000)
    match HOW:
        case "well" | "deaf" | "hasty" | "talkative":
            say({"t": "musing", "about": m})
            say({"t": "action", "m": m, "action": quiet})
        case "dripping" | "dribbling":
            for byte in json.dumps({"t": "action", "m": m, "action": quiet}) + "\n":
                sys.stdout.write(byte)
                sys.stdout.flush()
                time.sleep(0.03 if HOW == "dribbling" else 0)
        case "replaying":
            for number in (*before, m):
                say({"t": "action", "m": number, "action": quiet})
            before.append(m)
        case "by-number":
            say({"t": "action", "m": m, "action": legal.index(quiet)})
        case "astray":
            say({"t": "action", "m": m + 1, "action": quiet})
        case "illegal":
            say({"t": "action", "m": m, "action": "pounce"})
        case "outside":
            say({"t": "action", "m": m, "action": 10**30})
        case "prose":
            sys.stdout.write("I pass, if you please.\n")
            sys.stdout.flush()
        case "deep":
            sys.stdout.write("[" * 60_000 + "\n")
            sys.stdout.flush()
        case "huge":
            sys.stdout.write("x" * 100_000)
            sys.stdout.flush()
        case "late":
            time.sleep(1000)
        case "closing":
            os.close(1)
            time.sleep(1000)
        case _:
            raise SystemExit(7)


def main() -> None:
    heard: dict[int, list[str]] = {}
    for message in messages():
        match message["t"]:
            case "hello":
                begin()
            case "event":
                heard.setdefault(message["m"], []).append(message["event"])
            case "over":
                heard.pop(message["m"], None)
            case "act":
                if HOW == "well":
                    assert message["view"]["events"] == heard.get(message["m"], [])
                answer(message)
            case "bye":
                return


main()
