"""Messages, transcripts and results of commands, as text and for programs."""
