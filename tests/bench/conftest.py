"""The bench's modules are scripts beside each other: their tests find them as they find each other."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "bench"))
