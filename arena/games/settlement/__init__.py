"""Settlements: what a deal's hands cost and earn, when a match ends and how its seats are placed."""
