"""Feeds a codec the good frames of its known answers, over and over, as a port hands them out."""

import gc
import json
import sys
from pathlib import Path
from time import thread_time_ns

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))
from tests.fuzz.targets import target  # noqa: E402 - the known answers live with the tests

READ_BYTES = 64
STREAM_BYTES = 64 * 1024


def main() -> None:
    """Print nanoseconds a byte for each pass, and how long a frame is in the middle."""
    name, passes = sys.argv[1], int(sys.argv[2])
    aim = target(name)
    once = b"".join(aim.frames)
    stream = once * (STREAM_BYTES // len(once) + 1)
    pieces = [stream[place : place + READ_BYTES] for place in range(0, len(stream), READ_BYTES)]
    gc.collect()
    times = []
    for _ in range(passes + 1):
        codec = aim.make()
        start = thread_time_ns()
        for piece in pieces:
            codec.receive(piece)
        times.append((thread_time_ns() - start) / len(stream))
    print(json.dumps({"ns": times[1:], "frame_bytes": len(once) / len(aim.frames)}))


if __name__ == "__main__":
    main()
