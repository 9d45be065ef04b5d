"""What the options of a device name of the table, read without opening anything."""

import pytest

from sabot.drivers import registry
from sabot.drivers.device import DriverKind, Spoken
from sabot.drivers.options import Value, defaults
from sabot.rules.errors import SabotError
from sabot.statemachine.vocabulary.events import Key


def spoken(driver: str, **options: Value) -> Spoken:
    kind = registry.load(driver)
    return kind.speaks_of("here", defaults(kind.schema) | options)


def test_a_pad_names_its_spots_in_their_order_and_leaves_out_those_it_does_not_use() -> None:
    assert spoken("sabot-pads", spots="ante - play", seats=2).spots == (
        (1, "ante"),
        (1, "play"),
        (2, "ante"),
        (2, "play"),
    )
    assert spoken("sabot-pads", spots="2.play 1.ante", seats=2).spots == ((2, "play"), (1, "ante"))


def test_a_sign_names_its_meters_without_their_captions() -> None:
    assert spoken("alpha", port="x", meters="prog5.mega=MEGA, prog4.main").meters == (
        "prog5.mega",
        "prog4.main",
    )


def test_lines_name_the_wagers_that_the_lock_goes_by() -> None:
    assert spoken("lines").wagers == ("ante",)
    assert spoken("lines", lock_wagers="ante prog4").wagers == ("ante", "prog4")


def test_lines_say_whether_the_lock_out_button_is_wired() -> None:
    assert spoken("lines").has_lock_out
    assert not spoken("lines", key_lock=-1).has_lock_out


def test_lines_say_whether_the_lock_hangs_on_them() -> None:
    assert spoken("lines").holds_lock
    assert not spoken("lines", lock_open=-1).holds_lock


def test_lines_say_which_keys_and_lamps_and_pins_they_have_and_what_nobody_would_notice() -> None:
    whole = spoken("lines")
    assert (whole.keys, whole.shows_health, whole.lacks) == (tuple(Key), True, ())
    assert sorted(whole.pins) == [pin for pin in range(4, 27) if pin not in (14, 15)]

    less = spoken("lines", key_menu=-1, healthy=-1, door=-1, cover=-1)
    assert set(Key) - set(less.keys) == {Key.MENU}
    assert not less.shows_health
    assert less.lacks == ("no contact of the service door: nobody is told that it is open",)


def test_a_shoe_says_what_it_tells_of_cards_and_a_display_that_prompts_are_read_there() -> None:
    assert spoken("angel-eye", port="x") == Spoken(knows=("each_card",))
    assert spoken("escpos", port="x") == Spoken(shows_prompts=True)
    assert spoken("sabot-link", port="x") == Spoken(knows=("stack", "count_only"), counts_shuffles=True)
    assert spoken("sabot-link", port="x", identities=False).knows == ("count_only",)
    assert spoken("sabot-link", port="x", duty="shuffle") == Spoken(counts_shuffles=True)
    assert not spoken("sabot-link", port="x", duty="dispense").counts_shuffles


def test_a_kind_that_says_nothing_of_it_names_nothing() -> None:
    pads = registry.load("sabot-pads")

    assert DriverKind("lamp", "a lamp", "serial", (), pads.make).speaks_of("here", {}) == Spoken()


WRONG: list[tuple[str, dict[str, Value], str]] = [
    ("sabot-pads", {"spots": "9.ante"}, "E-PAD-001"),
    ("sabot-pads", {"spots": "ante ante"}, "E-PAD-003"),
    ("alpha", {"meters": "prog5"}, "E-ALPHA-001"),
    ("alpha", {"meters": "prog5.main", "sign_type": "ZZ"}, "E-LINK-008"),
    ("alpha", {"meters": "prog5.main", "sign_type": ""}, "E-LINK-008"),
    ("alpha", {"meters": "prog5.main", "address": "0"}, "E-LINK-008"),
    ("alpha", {"meters": "prog5.main", "address": "0g"}, "E-LINK-008"),
    ("lines", {"key_ok": 4}, "E-LINE-001"),
    ("lines", {"key_ok": 0}, "E-LINE-009"),
    ("lines", {"call": 15}, "E-LINE-009"),
    ("lines", {"inverted": "lamp"}, "E-LINE-002"),
    ("angel-eye", {"lengths": ""}, "E-LINK-008"),
    ("angel-eye", {"lengths": "S"}, "E-LINK-008"),
    ("angel-eye", {"sequence_low": 57, "sequence_high": 48}, "E-LINK-008"),
    ("angel-eye", {"sequence_low": 48, "sequence_high": 48}, "E-LINK-008"),
    ("angel-eye", {"lengths": "22"}, "E-LINK-008"),
    ("angel-eye", {"lengths": "D²"}, "E-LINK-008"),
]


@pytest.mark.parametrize(("driver", "options", "code"), WRONG)
def test_an_option_that_means_nothing_is_an_error_with_the_name_of_the_device(
    driver: str, options: dict[str, Value], code: str
) -> None:
    with pytest.raises(SabotError, match=f"^{code} here"):
        spoken(driver, **options)
