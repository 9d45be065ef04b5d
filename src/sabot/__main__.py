"""``python -m sabot`` is ``sabot``."""

import sys

from sabot.firmware.cli import main

sys.exit(main())
