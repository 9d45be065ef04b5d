"""Where things are on a board unless somebody says otherwise."""

from pathlib import Path

# By itself: the program of the service loads this, and none of what reads a command line.
TABLE = Path("/etc/sabot/table.toml")
