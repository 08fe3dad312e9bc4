"""Words for cards, hands, seats, families and numbers."""
