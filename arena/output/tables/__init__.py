"""Tables: their columns, documented, and their rows."""
