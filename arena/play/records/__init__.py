"""Match records: writing, reading, replaying and checking them."""
