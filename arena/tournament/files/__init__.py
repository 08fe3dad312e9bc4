"""The files of a run: its folder, what is written there from the store, and records read again."""
