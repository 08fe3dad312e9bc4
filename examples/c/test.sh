#!/bin/sh
# Speaks to the bot as the arena does: make test
set -eu
cd "$(dirname "$0")"

expected='{"t":"ready","v":1,"events":false}
{"t":"action","m":3,"action":2}
{"t":"action","m":4,"action":2}
{"t":"action","m":3,"action":1}
{"t":"action","m":3,"action":1}'

answered=$(./bot <<'MESSAGES'
{"t":"hello","v":1,"bot":"rook","limits":{"decision_ms":100},"settings":{}}
{"t":"match","m":3,"variant":"lives","options":{},"players":2,"seat":0,"rng":"x"}
{"t":"act","m":3,"view":{"hand":"9S KD AS","known":["",""],"legal":["9S>2H","KD>9H","KD>2S","pass","knock"]}}
{ "m": 4, "view": { "legal": ["9S>4H", "pass", "knock"], "hand": "9S KD AS", "events": ["0:\"x\\"] }, "t": "act" }
{"t":"act","m":3,"view":{"hand":"?? ?? ??","legal":["#1>9D","pass"]}}
{"t":"act","m":3,"view":{"hand":"a4 s2","legal":["draw","buy"]}}
{"t":"bye"}
MESSAGES
)

if [ "$answered" = "$expected" ]; then
    echo "rook answers as it should"
else
    printf 'rook answers\n%s\nand should answer\n%s\n' "$answered" "$expected" >&2
    exit 1
fi
