"""What people read: tables, rule pages and transcripts, as text."""
