"""How a deal is settled: in tokens and lives, in chips, or in a shared pot."""
