"""Text output: tables, rule pages and transcripts, as text."""
