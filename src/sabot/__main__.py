"""``python -m sabot`` is ``sabot``."""

import sys

from sabot.cli import main

sys.exit(main())
