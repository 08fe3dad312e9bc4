"""The cuckoo family: one card each, and one demand to change it with the next player's."""
