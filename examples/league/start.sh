#!/bin/sh
# Start a league of the built-in bots in a new folder: sh start.sh myleague
set -eu
folder=${1:?usage: sh start.sh FOLDER}
mkdir "$folder"
cp "$(dirname "$0")/league.toml" "$folder"
arena league new "$folder"
arena league submit "$folder" greedy counter prudent thirty rememberer stand-pat random
arena league update "$folder"
echo "Open $folder/site/index.html, or run: arena serve $folder"
