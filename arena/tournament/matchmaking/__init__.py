"""Who sits together: bots parted into tables, by their numbers alone."""
