"""A bad line between a table's program and its uplink: packets are lost, doubled, late, and overtake each other.

    python -m tests.uplink.bad_line LISTEN CONNECT SEED

The uplink calls LISTEN, this calls the table at CONNECT. Now and then nothing passes for a while. The word by which a
table says which values it wants passes always: it is said once to whoever calls.
"""

import heapq
import random
import select
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

from sabot.uplink.packets import LINKS, MOST_PACKET, packet_socket

LOST, DOUBLED, LATE, MOST_LATE_S = 0.03, 0.05, 0.1, 0.6
CUT_EACH_S, MOST_CUT_S = 6.0, 2.5
TICK_S = 0.02


class Line:
    """One uplink and one table, as long as both are there."""

    def __init__(self, uplink: socket.socket, table: socket.socket, chance: random.Random) -> None:
        self.ends, self.chance = {uplink: table, table: uplink}, chance
        self._waiting: list[tuple[float, int, socket.socket, bytes]] = []
        self._turn, self._cut_until = 0, 0.0

    def carry(self) -> None:
        """Carry until one of them is gone."""
        while True:
            ready, _, _ = select.select(list(self.ends), [], [], TICK_S)
            for each in ready:
                packet = each.recv(MOST_PACKET)
                if not packet:
                    return
                self._take(self.ends[each], packet)
            self._give()

    def _take(self, to: socket.socket, packet: bytes) -> None:
        now, chance = time.monotonic(), self.chance
        if packet[:1] == LINKS:
            self._later(now, to, packet)
            return
        if chance.random() < TICK_S / CUT_EACH_S:
            self._cut_until = now + chance.random() * MOST_CUT_S
        if now < self._cut_until or chance.random() < LOST:
            return
        for _ in range(2 if chance.random() < DOUBLED else 1):
            late = chance.random() * MOST_LATE_S if chance.random() < LATE else 0.0
            self._later(now + late, to, packet)

    def _later(self, at: float, to: socket.socket, packet: bytes) -> None:
        self._turn += 1
        heapq.heappush(self._waiting, (at, self._turn, to, packet))

    def _give(self) -> None:
        while self._waiting and self._waiting[0][0] <= time.monotonic():
            _, _, to, packet = heapq.heappop(self._waiting)
            with suppress(BlockingIOError):
                to.send(packet)


def main(listen: str, connect: str, seed: str) -> None:
    """Until killed."""
    listening, chance = packet_socket(), random.Random(seed)
    Path(listen).unlink(missing_ok=True)
    listening.bind(listen)
    listening.listen(1)
    listening.setblocking(True)
    while True:
        uplink, _ = listening.accept()
        uplink.setblocking(False)
        table = packet_socket()
        with uplink, table, suppress(OSError):
            table.connect(connect)
            Line(uplink, table, chance).carry()
        time.sleep(TICK_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
