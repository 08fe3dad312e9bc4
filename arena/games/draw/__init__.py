"""The draw family: cards from the stock or the discard, one thrown for each, until somebody knocks."""
