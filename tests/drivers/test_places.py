"""Which device is on whose port: every pair of the four kinds, three in a ring, and what proves nothing."""

from itertools import combinations, permutations
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from sabot.drivers import port_names
from sabot.drivers.wrong_ports import PlaceSeen, judge

KINDS = {
    "shuffler": "sabot-link",
    "shoe": "angel-eye",
    "sign": "alpha",
    "display": "escpos",
    "accounts": "sabot-accounts",
}
PAIRS = list(combinations(KINDS, 2))


def seen(name: str, answers_as: str = "", *, is_heard: bool = False) -> PlaceSeen:
    return PlaceSeen(name, KINDS[name], f"/dev/{name}", is_heard, name == "display", answers_as)


def all_but(*names: str) -> list[PlaceSeen]:
    """The others of the table, each in its place."""
    return [seen(name, is_heard=name != "display") for name in KINDS if name not in names]


def told(devices: list[PlaceSeen]) -> dict[str, str]:
    return {name: f"{error.kind.code} {error.what}" for name, error in judge(devices).items()}


@pytest.mark.parametrize("pair", PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_every_pair_is_known_from_what_answers_at_its_ports(pair: tuple[str, str]) -> None:
    one, other = sorted(pair)
    heard = {name: KINDS[each] for name, each in ((one, other), (other, one)) if each != "display"}
    swapped = [seen(name, answers_as=heard.get(name, "")) for name in pair]
    words = told([*swapped, *all_but(*pair)])
    assert set(words) == {one, other}
    assert words[one] == words[other]
    assert words[one].startswith(f"E-LINK-009 {one} and {other} are swapped: ")
    for name, kind in heard.items():
        assert f"/dev/{name} answers as {kind}" in words[one]
    assert ("display never answers" in words[one]) is ("display" in pair)


@pytest.mark.parametrize("pair", list(permutations(["shuffler", "shoe", "sign"], 2)))
def test_one_that_answers_on_the_port_of_another_is_there_whatever_the_other_does(
    pair: tuple[str, str],
) -> None:
    owner, guest = pair
    devices = [seen(owner, answers_as=KINDS[guest]), seen(guest), *all_but(owner, guest)]
    said = f"E-LINK-010 {guest} is on the port of {owner}: /dev/{owner} answers as {KINDS[guest]}"
    assert told(devices) == {owner: said, guest: said}


def test_three_in_a_ring_are_each_named_where_they_are() -> None:
    ring = [
        seen("shuffler", answers_as="angel-eye"),
        seen("shoe", answers_as="alpha"),
        seen("sign", answers_as="sabot-link"),
    ]
    words = told([*ring, *all_but("shuffler", "shoe", "sign")])
    assert words["shuffler"].startswith("E-LINK-010 shoe is on the port of shuffler")
    assert words["shoe"].startswith("E-LINK-010 sign is on the port of shoe")
    assert words["sign"].startswith("E-LINK-010 shuffler is on the port of sign")


def test_a_ring_with_a_display_in_it_is_not_called_a_swap_of_two() -> None:
    ring = [
        seen("display", answers_as="angel-eye"),
        seen("shoe", answers_as="alpha"),
        seen("sign"),
        *all_but("display", "shoe", "sign"),
    ]
    words = told(ring)
    assert words["display"].startswith("E-LINK-010 shoe is on the port of display")
    assert words["sign"].startswith("E-LINK-010 sign is on the port of shoe")


def test_with_a_third_that_is_silent_nobody_knows_where_the_display_is() -> None:
    words = told(
        [seen("display", answers_as="alpha"), seen("sign"), seen("shoe"), seen("shuffler", is_heard=True)]
    )
    said = "E-LINK-010 sign is on the port of display: /dev/display answers as alpha"
    assert words == {"display": said, "sign": said}


def test_two_machines_of_one_kind_are_known_by_their_keys() -> None:
    shoe = PlaceSeen("shoe", "sabot-link", "/dev/a", proves="shuffler")
    shuffler = PlaceSeen("shuffler", "sabot-link", "/dev/b", proves="shoe")
    words = told([shoe, shuffler])
    assert words["shoe"] == (
        "E-LINK-009 shoe and shuffler are swapped: /dev/a answers with the key of shuffler, "
        "/dev/b answers with the key of shoe"
    )


@pytest.mark.parametrize(
    "devices",
    [
        [seen("shoe"), seen("sign"), *all_but("shoe", "sign")],
        [seen("shoe", answers_as="alpha"), seen("sign", is_heard=True)],
        [seen("shoe", is_heard=True, answers_as="alpha"), seen("sign")],
        [
            seen("shoe", answers_as="alpha"),
            seen("sign"),
            PlaceSeen("second sign", "alpha", "/dev/d"),
        ],
        [seen("shoe", answers_as="alpha"), seen("shuffler", answers_as="alpha"), seen("sign")],
    ],
    ids=["silence", "the other is heard", "its own is heard", "which of two signs", "one at two ports"],
)
def test_of_what_proves_nothing_nothing_is_said(devices: list[PlaceSeen]) -> None:
    assert told(devices) == {}


def test_an_adapter_is_named_by_what_does_not_change_and_says_what_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told, bare = ListPortInfo(str(tmp_path / "ttyB")), ListPortInfo(str(tmp_path / "ttyA"))
    told.product, told.description, told.manufacturer = "Shoe", "Shoe of somebody", "Maker"
    told.serial_number, told.vid, told.pid = "S-7", 0x0403, 0x6001
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    Path(bare.device).touch()
    (by_id / "usb-plain").symlink_to(bare.device)
    monkeypatch.setattr(port_names, "STABLE", by_id)
    monkeypatch.setattr("sabot.drivers.port_names.list_ports.comports", lambda: [told, bare])

    found = port_names.found()

    assert found == [
        port_names.PortFound(bare.device, str(by_id / "usb-plain"), ""),
        port_names.PortFound(told.device, "usb-serial:S-7", "Shoe", "Maker", "S-7", "0403:6001"),
    ]
    assert port_names.path_of("usb-serial:S-7") == told.device
    bare.description = "ttyA of the board"
    (by_id / "usb-plain").unlink()
    assert port_names.found()[0] == port_names.PortFound(bare.device, bare.device, "ttyA of the board")
