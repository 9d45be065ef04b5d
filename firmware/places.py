"""Where things are on a board unless somebody says otherwise."""

from pathlib import Path

TABLE = Path("/etc/sabot/table.toml")
