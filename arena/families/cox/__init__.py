"""The cox family: the patented eighty-card Commerce of 1925, with racks, supply bases and a bank."""
