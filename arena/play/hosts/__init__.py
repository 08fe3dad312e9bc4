"""Bots in processes of their own, seen from the arena: what they are told, their answers, time and faults."""
