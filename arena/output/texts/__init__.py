"""Messages, transcripts and results of commands, as text and as JSON."""
