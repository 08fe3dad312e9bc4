"""The families of games: one package each, with the rules of its games, on what `arena.games` has for all."""
