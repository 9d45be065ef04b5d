"""What the options of a device name of the table, read without opening anything."""

import pytest

from sabot.drivers import registry
from sabot.drivers.device import DriverKind, Spoken
from sabot.drivers.options import Value, defaults
from sabot.rules.errors import SabotError


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
    assert spoken("lines", lock_wagers="ante prog4") == Spoken(wagers=("ante", "prog4"), has_lock_out=True)


def test_lines_say_whether_the_lock_out_button_is_wired() -> None:
    assert spoken("lines").has_lock_out
    assert not spoken("lines", key_lock=-1).has_lock_out


@pytest.mark.parametrize("driver", ["angel-eye", "escpos", "sabot-link"])
def test_other_devices_name_nothing(driver: str) -> None:
    assert spoken(driver, port="x") == Spoken()


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
