"""How much is played: little by default, more where the environment asks for it.

``SABOT_WALK=10`` plays ten times as many seeds of everything in this folder.
"""

from __future__ import annotations

import os

TIMES = int(os.environ.get("SABOT_WALK", "1"))
SEEDS = 1 * TIMES
ROUNDS = 25
