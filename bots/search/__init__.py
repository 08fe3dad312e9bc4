"""The searches of `expert`, compiled: what the others may hold, and which action does best against that."""
