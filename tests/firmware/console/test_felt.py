"""The live screen: whole shifts of every chapter, and no card on it that is not public then."""

from __future__ import annotations

import json
import re
from typing import cast

import pytest

from at_the_console import SHIFTS
from sabot.desk.recording import read_recording
from sabot.firmware.console.call import Call, CallWire
from sabot.firmware.console.commands.felt import LINES, WIDTH, screen
from sabot.firmware.console.program import ConsoleProgram
from sabot.firmware.console.session import ConsoleSession, Peer
from sabot.firmware.console.wire import Request
from sabot.rules.cards import NAMES
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.events import Role

# Shifts in which no device reads cards: what becomes public is declared, and no card of it is known.
DECLARED = frozenset({"md4cp", "pa682a"})
CARD = re.compile(r"(?<![\w$.])[2-9TJQKA][cdhs](?!\w)")


class Seen:
    """What the screen asks of a program."""

    name, is_simulated, drivers = "Table 7", True, ()

    def __init__(self, table: Table) -> None:
        self.table = table

    @property
    def runner(self) -> Seen:
        return self


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp", "pa679a", "pa682a", "pa683a"])
def test_policy_no_card_is_on_the_screen_before_it_is_public(chapter: str) -> None:
    recording = read_recording(str(SHIFTS / f"{chapter}.jsonl"))
    table = Table(recording.setup)
    session = ConsoleSession(1, Peer(1, 1, 1), lambda: 0.0)
    call = Call(cast("ConsoleProgram", Seen(table)), session, cast("CallWire", None), Request(1), {})
    ever: set[str] = set()
    for recorded in recording.events:
        table.handle(recorded.event)
        lines = screen(call)
        assert len(lines) <= LINES
        assert max(map(len, lines)) <= WIDTH
        said = "\n".join(lines) + json.dumps(table.rooms.views.view(Role.DEALER))
        public = {NAMES[card] for cards in table.rooms.views.public_cards().values() for card in cards}
        shown = set(CARD.findall(said))
        counts = cast("dict[str, int]", table.rooms.views.view(Role.DEALER).get("counts", {}))
        lying = [place for place in counts if not place.startswith("seat")]
        assert all(any(line.startswith(f"    {place}: ") for line in lines) for place in lying)
        assert shown <= public, (recorded.line, shown - public)
        ever |= shown
    assert ever or chapter in DECLARED
