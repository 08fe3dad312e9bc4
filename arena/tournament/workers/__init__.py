"""Playing blocks: in chunks, in this process or a pool of others, and where the bots live."""
