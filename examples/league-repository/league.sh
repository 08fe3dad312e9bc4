#!/bin/sh
# The steps of a league whose bots are folders in a repository: bots/NAME, each with a bot.toml.
#
#   sh league.sh check bots/ann ...   check bots in the sandbox, as for a pull request
#   sh league.sh publish LEAGUE       submit all bots, update the league, and write LEAGUE/site
#
# ISOLATION is the level of isolation of both (default: sandbox); MINUTES how long an update may play.
set -eu
isolation=${ISOLATION:-sandbox}
case ${1:-} in
check)
  shift
  for bot in "$@"; do
    name=$(basename "$bot")
    grep -qx "name = \"$name\"" "$bot/bot.toml" || { echo "$bot/bot.toml must say: name = \"$name\"" >&2; exit 1; }
    arena check "$bot" --isolation "$isolation"
  done
  ;;
publish)
  league=${2:?usage: sh league.sh publish LEAGUE}
  if [ ! -e "$league/league.db" ]; then
    mkdir -p "$league"
    cp league.toml "$league"
    arena league new "$league"
  fi
  for bot in bots/*/; do
    arena league submit "$league" "$bot"
  done
  arena league update "$league" --time-limit $((${MINUTES:-20} * 60)) --isolation "$isolation" || [ $? = 1 ]
  arena league site "$league"
  ;;
*)
  echo "usage: sh league.sh check BOT... | publish LEAGUE" >&2
  exit 2
  ;;
esac
