"""The draw family: one card drawn and one discarded in each turn, until a seat knocks."""
