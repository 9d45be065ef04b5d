"""Whatever stood on the display was seen, however short: people of a rig judge by the order of its pictures."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from sabot.hil.simulators.escpos import EscposDisplay
from sabot.hil.table.control_socket import answers
from sabot.hil.table.crew import FLOOR, Crew
from sabot.hil.table.hands import Hands, NotListedError, NotSeenError
from sabot.hil.table.world import World

NO_PATIENCE_S = 1e-9


def picture(first: str, second: str = "") -> bytes:
    """A whole picture as the program writes it."""
    return b"\x0b" + f"{first:<20}{second:<20}".encode("cp437")


def told(*writes: bytes) -> list[tuple[str, str]]:
    display, pictures = EscposDisplay(), list[tuple[str, str]]()
    display.on_picture = pictures.append
    for data in writes:
        display.received(data)
    return [(first.rstrip(), second.rstrip()) for first, second in pictures]


def test_two_pictures_that_came_in_one_piece_are_two() -> None:
    assert told(picture("CHECKING") + picture("BETS OPEN")) == [("CHECKING", ""), ("BETS OPEN", "")]


def test_a_picture_is_whole_with_its_second_line_and_the_same_again_is_none() -> None:
    assert told(picture("CARD 1 TO", "SEAT 1"), picture("CARD 1 TO", "SEAT 1")) == [("CARD 1 TO", "SEAT 1")]


def test_a_command_in_pieces_is_no_picture_yet() -> None:
    assert told(b"\x0bBETS OPEN\x1f$", b"\x01\x02SEAT 1") == [("BETS OPEN", "SEAT 1")]


def test_a_display_that_is_cleared_was_dark() -> None:
    assert told(picture("SEAT 1"), b"\x0c" + picture("SEAT 1")) == [("SEAT 1", ""), ("", ""), ("SEAT 1", "")]


# ---------------------------------------------------------------- people at a display


def at_a_display(root: Path, story: Callable[[Hands, Callable[[bytes], None]], None]) -> None:
    """The story of hands at a real display, and of a program that writes on its line."""

    async def once() -> None:
        world = World(root, {"display": {"kind": "escpos", "at": "display"}}, 1)
        server = await answers(world, root)
        line = os.open(root / "display", os.O_RDWR | os.O_NOCTTY)
        try:
            await asyncio.to_thread(_tell, story, root, line)
        finally:
            os.close(line)
            server.close()
            world.close()

    asyncio.run(once())


def _tell(story: Callable[[Hands, Callable[[bytes], None]], None], root: Path, line: int) -> None:
    hands = Hands(root)
    try:
        story(hands, lambda data: [os.write(line, data)].clear())
    finally:
        hands.close()


def test_a_prompt_that_came_and_went_between_two_looks_was_seen(tmp_path: Path) -> None:
    def story(hands: Hands, write: Callable[[bytes], None]) -> None:
        write(picture("HELD: LOST LINK"))
        write(picture("BETS OPEN"))
        hands.wait("the last picture", lambda: hands.lines[0] == "BETS OPEN")
        hands.wait_display("HELD")
        hands.wait_display("BETS OPEN")

    at_a_display(tmp_path, story)


def test_what_was_seen_before_something_was_done_is_no_answer_to_it(tmp_path: Path) -> None:
    def story(hands: Hands, write: Callable[[bytes], None]) -> None:
        write(picture("HELD: LOST LINK"))
        write(picture("BETS OPEN"))
        hands.wait_display("BETS OPEN")
        with pytest.raises(NotSeenError):
            hands.wait_display("HELD", patience_s=NO_PATIENCE_S)
        hands.do("display", "spoil")
        with pytest.raises(NotSeenError):
            hands.wait_display("BETS OPEN", patience_s=NO_PATIENCE_S)

    at_a_display(tmp_path, story)


LATER_S = 1000.0


def test_who_had_to_wait_for_the_processor_looks_once_more_behind_the_end(tmp_path: Path) -> None:
    """Between a look and the next glance at the clock more than every patience may pass."""

    def story(hands: Hands, write: Callable[[bytes], None]) -> None:
        def rest(most_s: float) -> None:
            write(picture(next(shown)))
            hands.listen(most_s)

        shown, times = iter(("BETS OPEN", "SEAT 1")), count(0.0, LATER_S)
        hands.now, hands.rest = partial(next, times), rest
        hands.wait_display("BETS OPEN")

        assert hands.wait_behind(hands.newest.row, 1.0)

    at_a_display(tmp_path, story)


# ---------------------------------------------------------------- a list that devices change between two keys


class ListOnDisplay(Hands):
    """A table whose program shows a list; before some keys come to it a device has changed the list."""

    def __init__(self, titles: list[str], news: dict[int, list[str]]) -> None:
        self.titles, self.news, self.taken = titles, news, list[str]()
        self.at, self.pressed, self._new = -1, 0, list[list[object]]()
        self.did, self.rows, self._pictures, self._half = -1, [], [], ["", ""]
        self.patience_s, self.now, self.rest = 1.0, lambda: float(len(self.rows)), self.listen
        self._show("HELD: FAULT", "FLOOR: RELEASE")

    def _show(self, first: str, second: str) -> None:
        for number, line in enumerate((first, second)):
            self._new.append([0.0, "display", f"lines.{number}", line, "showed"])

    def _list(self) -> None:
        if self.at >= 0:
            self._show(f"FLOOR {self.at + 1}/{len(self.titles)}", self.titles[self.at])

    def listen(self, most_s: float) -> None:
        new, self._new = self._new, []
        for row in new or [[0.0, "clock", "", "", "did"]] * bool(most_s):
            self._read(row)

    def do(self, device: str, action: str) -> None:
        self.pressed += 1
        if self.pressed in self.news:
            line = self.titles[self.at]
            self.titles = self.news[self.pressed]
            self.at = self.titles.index(line) if line in self.titles else 0
            self._list()
        self._new.append([0.0, device, "", action, "did"])
        self.listen(0.0)
        self.did = len(self.rows) - 1
        self._key(action.rpartition("_")[2])

    def _key(self, key: str) -> None:
        if key == "ok":
            self.taken.append(self.titles[self.at])
            self.at = -1
            self._show("BETS OPEN", "")
        elif key == "right":
            self.at = (self.at + 1) % len(self.titles)
        elif key == "floor":
            self.at = 0
        self._list()


class Floorperson(Crew):
    def __init__(self, hands: Hands) -> None:
        self.hands = hands


FOUR = ["RELEASE", "RECUT", "CLOSE TABLE", "VOID ROUND"]


@pytest.mark.parametrize(
    "news",
    [
        {},
        {2: ["RECUT", "CLOSE TABLE", "RELEASE", "VOID ROUND"]},
        {3: ["RECUT", "VOID ROUND", "RELEASE", "CLOSE TABLE", "CHANGE DECK"]},
        {2: FOUR, 3: FOUR[::-1], 4: FOUR},
    ],
)
def test_a_line_is_taken_from_a_list_that_changes_between_two_keys(news: dict[int, list[str]]) -> None:
    hands = ListOnDisplay(FOUR, news)
    Floorperson(hands).choose("FLOOR", "VOID ROUND")

    assert hands.taken == ["VOID ROUND"]


def test_what_is_in_no_list_is_not_taken_and_the_list_is_left() -> None:
    hands = ListOnDisplay(FOUR, {3: FOUR[:2]})
    with pytest.raises(NotListedError):
        Floorperson(hands).choose("FLOOR", "CHANGE DECK")

    assert hands.taken == []


# ---------------------------------------------------------------- a key that leads nowhere


class DarkDisplay(Hands):
    """A table whose display shows nothing, whatever is done."""

    def __init__(self) -> None:
        self.acts: list[str] = []
        self.did, self.rows, self._pictures = -1, [], []
        self.now = partial(next, count(step=60.0))
        self.rest = self.listen

    def _ask(self, **asked: Any) -> dict[str, Any]:
        if "do" in asked:
            self.acts.append(f"{asked['device']} {asked['do']}")
        return {"row": 0, "diary": []}


class Locksmith(Crew):
    """Somebody with a key, at a table of whom only the hands are asked."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands


def test_a_key_that_led_to_no_pin_is_taken_out_again_or_it_could_not_be_turned_any_more() -> None:
    hands = DarkDisplay()
    with pytest.raises(NotSeenError):
        Locksmith(hands).turn_key(FLOOR)
    assert hands.acts == ["lines hold key_switch", "lines let key_switch"]
