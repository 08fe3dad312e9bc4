"""Tables of results: columns declared once, typed, and every format they are written in."""
