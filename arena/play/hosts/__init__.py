"""Bots in processes of their own, as the arena sees them: what they are told, their answers, time and faults."""
