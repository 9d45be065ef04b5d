"""What there is to measure: a name, what it is about, who measures it, and about how long that takes.

The seconds are of a quiet machine, so that somebody who waits knows for what; nothing is held to them.
"""

from collections.abc import Callable
from typing import NamedTuple

import answer
import committing
import decoding
import hands
import idle
import instructions
import lock
import memory
import play
import program
import recovery
import settling
import shifts
import starting
import streams
import suite
import tables
import wire
from figure import Figure

import deciding
import journal

Measure = Callable[..., list[Figure]]


class Part(NamedTuple):
    """One section of the table."""

    title: str
    measure: Measure
    about_s: int


PARTS: dict[str, Part] = {
    "hands": Part(hands.TITLE, hands.measure, 30),
    "tables": Part(tables.TITLE, tables.measure, 30),
    "round": Part(settling.TITLE, settling.measure, 30),
    "stream": Part(streams.TITLE, streams.measure, 60),
    "start": Part(starting.TITLE, starting.measure, 5),
    "memory": Part(memory.TITLE, memory.measure, 30),
    "decide": Part(deciding.TITLE, deciding.measure, 60),
    "instructions": Part(instructions.TITLE, instructions.measure, 20),
    "shift": Part(shifts.TITLE, shifts.measure, 200),
    "journal": Part(journal.TITLE, journal.measure, 60),
    "commit": Part(committing.TITLE, committing.measure, 30),
    "recovery": Part(recovery.TITLE, recovery.measure, 120),
    "wire": Part(wire.TITLE, wire.measure, 60),
    "codecs": Part(decoding.TITLE, decoding.measure, 20),
    "idle": Part(idle.TITLE, idle.measure, 100),
    "program": Part(program.TITLE, program.measure, 120),
    "play": Part(play.TITLE, play.measure, 240),
    "lock": Part(lock.TITLE, lock.measure, 120),
    "answer": Part(answer.TITLE, answer.measure, 60),
    "tests": Part(suite.TITLE, suite.measure, 30),
}
