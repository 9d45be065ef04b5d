"""The numbers of the page are the driver's: each of them, with what it means, and no other."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from sabot.drivers.sabot_link import words

PAGE = (Path(__file__).parents[3] / "docs" / "sabot-link.md").read_text(encoding="utf-8")
_ROW = re.compile(r"(?:^|, )(\d+) ([^,0-9][^,]*?)(?=, \d+ |\.? *$)")


def listed(text: str) -> dict[int, str]:
    """Numbers and words as the page lists them: ``1 jam, 2 door open``."""
    return {int(number): said for number, said in _ROW.findall(" ".join(text.split()))}


def row(message: str, name: str) -> dict[int, str]:
    """The numbers of a field."""
    part = PAGE.partition(f" {message} (")[2].partition("####")[0]
    [cell] = re.findall(rf"\| `{name}` \| (.*) \|", part)
    return listed(cell)


def paragraph(name: str) -> dict[int, str]:
    """The numbers of a paragraph that begins with a name."""
    text = re.search(rf"\*\*{name}\*\*[^:]*: (.*?[a-z])\.", PAGE, re.DOTALL)
    assert text is not None
    return listed(text[1])


def same(of_page: Mapping[int, str], of_driver: Mapping[int, str]) -> None:
    assert of_page.keys() == of_driver.keys()
    for number, said in of_page.items():
        mine, its = ({word[:4] for word in re.findall(r"\w+", each)} for each in (of_driver[number], said))
        assert mine & its, (number, of_driver[number], said)


@pytest.mark.parametrize(
    ("of_page", "of_driver"),
    [
        ({**row("IDENTITY", "kind"), 3: "shuffler and packet shoe"}, words.KINDS),
        (row("MODE", "mode"), words.MODES),
        (row("JAM", "place"), words.PLACES),
        (row("JAM", "cause"), words.JAM_CAUSES),
        (paragraph("Faults"), words.FAULT_WORDS),
        (paragraph("Capabilities"), words.CAPABILITIES),
        (paragraph("Colors of backs"), dict(enumerate(words.COLORS))),
    ],
)
def test_each_number_of_the_page_has_its_words(of_page: dict[int, str], of_driver: Mapping[int, str]) -> None:
    assert len(of_page) > 3
    same(of_page, of_driver)


def test_a_cycle_stops_for_the_causes_of_the_page() -> None:
    of_page = row("CYCLE_STOPPED", "cause")
    assert of_page.keys() | {8} == words.STOP_CAUSES.keys() == set(range(1, 10))
    same({number: said for number, said in of_page.items() if number != 8}, {
        number: said for number, said in words.STOP_CAUSES.items() if number != 8
    })  # fmt: skip


def test_a_command_is_answered_with_the_codes_of_the_page_and_one_of_accounts() -> None:
    of_page = row("RESULT", "code")
    assert {*of_page, 11} == words.VERDICTS.keys() == set(range(12))
    assert (of_page[3], words.VERDICTS[3]) == ("wrong mode", "not in play mode")
    for number in set(of_page) - {3, 7}:
        same({number: of_page[number]}, {number: words.VERDICTS[number]})
    assert words.VERDICTS[7] == "it has no such capability"


def test_what_the_driver_asks_of_a_number_is_that_number() -> None:
    capabilities, places, faults = paragraph("Capabilities"), row("JAM", "place"), paragraph("Faults")
    assert [capabilities[bit] for bit in (words.COUNTS, words.EJECTS, words.HOLDS_TWO)] == [
        "counts",
        "ejects the stub",
        "holds two decks",
    ]
    assert capabilities[words.READS_INTAKE] == "reads faces at the intake"
    assert capabilities[words.SENSES_EXIT] == "senses its exit"
    assert [places[place] for place in words.OUTLETS] == ["exit", "eject"]
    assert faults[words.JAM_FAULT] == "jam"
    assert row("DOOR", "door")[words.SERVICE_DOOR] == "service door"
    assert {faults[number]: kind for number, kind in words.FAULT_KINDS.items()} == {
        "not enough cards": "short_stack",
        "cards left inside": "not_emptied",
        "card of another color": "deck_color",
        "card not read": "unreadable_card",
    }
    kinds = row("IDENTITY", "kind")
    assert {kinds[kind] for kind in words.WAGERING_SYSTEMS} == {"electronic wagering system"}
    assert kinds.keys() == words.CARD_MACHINES | words.WAGERING_SYSTEMS


def test_capabilities_are_a_sum() -> None:
    assert words.capabilities(0) == ()
    assert words.capabilities(1 + 4 + 512) == ("shuffles", "counts", "holds two decks")
    assert words.capabilities(1024) == ()
    assert len(words.capabilities(1023)) == 10


def test_cards_are_named_and_counted_as_the_page_does() -> None:
    names = [words.card_name(card) for card in range(52)]
    assert (names[0], names[1], names[4], names[51]) == ("2c", "2d", "3c", "As")
    assert len(set(names)) == 52
    assert [words.card_name(card) for card in (52, 0xFF)] == ["??", "??"]
    assert [words.card_of(rank, suit) for rank, suit in ((2, 0), (2, 3), (14, 3), (14, 4), (0, 0))] == [
        0, 3, 51, None, None,
    ]  # fmt: skip
    assert (words.deck_name(0), words.deck_name(65)) == ("", "A")
