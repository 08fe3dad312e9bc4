"""The optional web server: the pages of a league or run, handing in bots, play (extra `web`)."""
