"""Run the command line with `python -m arena`."""

import os
import sys

if not sys.flags.safe_path and sys.path[0] != os.path.dirname(os.path.dirname(__file__)):
    del sys.path[0]  # the working directory, which may be a bot's

from arena.cli import main

if __name__ == "__main__":
    main()
