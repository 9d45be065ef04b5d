"""What is installed, what a table file may say to it, and who a device must be."""

import sys
import types
from pathlib import Path

import pytest

from sabot.config.driver_options import bound_of, options_of_words, read_options
from sabot.config.errors import ConfigError
from sabot.config.reader import Section
from sabot.drivers import registry
from sabot.drivers.device import PINS, Identity, in_words, not_as_pinned, swapped
from sabot.drivers.entry_points import Offer
from sabot.drivers.errors import DriverError
from sabot.drivers.options import Option, Schema, defaults

SCHEMA: Schema = (
    Option("port", None, "the port", kind=str),
    Option("baud", 4800, "the speed", choices=(4800, 9600)),
    Option("tries", 3, "how often", low=1, high=20),
    Option("deadline_s", 1.0, "how long", low=0.05, high=10.0),
    Option("is_loud", False, "whether it beeps"),
)


def test_every_driver_of_ours_is_installed_and_loads_with_a_schema_that_holds() -> None:
    assert set(registry.installed()) >= {"alpha", "angel-eye", "escpos", "lines", "sabot-link", "sabot-pads"}
    for name in registry.installed():
        kind = registry.load(name)
        assert kind.name == name
        names = [option.name for option in kind.schema]
        assert len(set(names)) == len(names), name
        data = {each.name: each.default for each in kind.schema if each.default is not None}
        given = {each.name: _some(each) for each in kind.schema if each.default is None}
        # A default that its own bounds refuse would be found by whoever writes it into a table file.
        read_options(Section(name, "", {**data, **given}), kind.schema)


def _some(option: Option) -> object:
    if option.choices:
        return option.choices[0]
    return {str: "x", int: int(option.low or 1), float: float(option.low or 1), bool: True}[option.type]


def test_every_convention_is_of_a_driver_of_the_same_name() -> None:
    for name in registry.installed(registry.CONVENTIONS):
        assert registry.load_convention(name).name == name
        assert name in registry.installed()


def test_an_unknown_driver_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(DriverError, match=r"E-LINK-004 .*angel-eye"):
        registry.load("angle-eye")
    with pytest.raises(DriverError, match=r"E-LINK-007 .*escpos"):
        registry.load_convention("lines")


def test_a_package_that_is_broken_is_an_error_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        "absent": Offer("absent", "no_such_package_here:KIND", registry.GROUP),
        "wrong": Offer("wrong", "a_package_with_a_wrong_kind:KIND", registry.GROUP),
    }
    wrong = types.ModuleType("a_package_with_a_wrong_kind")
    wrong.KIND = "not a kind"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, wrong.__name__, wrong)
    monkeypatch.setattr(registry, "installed", lambda _group: points)
    for name, words in (("absent", "no_such_package_here"), ("wrong", "names no DriverKind")):
        with pytest.raises(DriverError, match=rf"E-LINK-005 .*{words}"):
            registry.load(name)


def test_options_have_their_defaults_and_take_what_is_within_bounds() -> None:
    assert defaults(SCHEMA) == {"baud": 4800, "tries": 3, "deadline_s": 1.0, "is_loud": False}
    given = options_of_words(["port=/dev/x", "baud=9600", "deadline_s=2", "is_loud=true"], SCHEMA, "here")
    assert given == {"port": "/dev/x", "baud": 9600, "tries": 3, "deadline_s": 2.0, "is_loud": True}
    assert type(given["deadline_s"]) is float


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["port=x", "buad=9600"], "E-CONF-002", "'baud'"),
        ([], "E-CONF-003", "'port'"),
        (["port=x", "baud=1200"], "E-CONF-004", "one of 4800, 9600"),
        (["port=x", "tries=0"], "E-CONF-004", "a whole number from 1 to 20"),
        (["port=x", "tries=21"], "E-CONF-004", "a whole number from 1 to 20"),
        (["port=x", "tries=2.0"], "E-CONF-004", "a whole number"),
        (["port=x", "tries=true"], "E-CONF-004", "a whole number"),
        (["port=x", "deadline_s=nan"], "E-CONF-004", "a number from 0.05 to 10"),
        (["port=x", "deadline_s=soon"], "E-CONF-004", "a number from 0.05 to 10"),
        (["port=x", "is_loud=1"], "E-CONF-004", "true or false"),
        (["port=x", "is_loud"], "E-CONF-004", "name=value"),
    ],
)
def test_a_slip_in_an_option_is_an_error_with_bound_or_nearest_key(
    words: list[str], code: str, said: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        options_of_words(words, SCHEMA, "--option")

    assert caught.value.kind.code == code
    assert said in str(caught.value)


def test_a_text_of_a_command_line_is_taken_as_it_stands() -> None:
    schema = (Option("label", "", "a text"), Option("is_on", True, "a flag"))
    assert options_of_words(["label=12"], schema, "x")["label"] == "12"
    assert options_of_words(["label=a=b"], schema, "x")["label"] == "a=b"
    with pytest.raises(ConfigError):
        options_of_words(["is_on=1\nlabel = 2"], schema, "x")


THIS = Identity("shoe", "Maker", "Model", "S-1", "1.0")


def test_a_device_must_be_what_is_pinned_and_may_be_anything_else() -> None:
    free = defaults(PINS)
    assert not_as_pinned(THIS, free) == ""
    assert not_as_pinned(THIS, free | {"pin_maker": "Maker", "pin_serial": "S-1"}) == ""
    assert not_as_pinned(THIS, free | {"pin_serial": "S-2"}) == "its serial is 'S-1', pinned is 'S-2'"
    two = not_as_pinned(THIS, free | {"pin_maker": "M", "pin_firmware": "2"})
    assert "its maker" in two
    assert "its firmware" in two


def test_a_swapped_device_is_named_by_what_is_different() -> None:
    assert swapped(Identity(), THIS) == ""
    assert swapped(THIS, THIS) == ""
    other = Identity("shoe", "Maker", "Model", "S-2", "1.1")
    assert swapped(THIS, other) == "its serial was 'S-1' and is 'S-2'; its firmware was '1.0' and is '1.1'"


def test_who_a_device_is_in_one_line() -> None:
    assert in_words(THIS) == "shoe Maker Model S-1 1.0 (not proved)"
    assert in_words(Identity()) == "says nothing of itself (not proved)"
    assert "proved with its enrolled key" in in_words(Identity("shoe", authenticated=True))


def test_a_package_that_comes_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "later" not in registry.installed()
    info = tmp_path / "later-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: later\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[sabot.drivers]\nlater = later:KIND\n", encoding="utf-8")

    assert registry.installed()["later"].value == "later:KIND"


def test_a_device_that_can_prove_itself_has_to_unless_somebody_says_otherwise() -> None:
    schemas = {
        name: {option.name: option for option in registry.load(name).schema} for name in registry.installed()
    }
    proving = {
        name: options["authenticated"] for name, options in schemas.items() if "authenticated" in options
    }
    assert set(proving) >= {"sabot-link", "sabot-pads", "sabot-accounts"}
    assert all(option.default is True for option in proving.values())


PAGE = (Path(__file__).parents[2] / "docs" / "table-file.md").read_text(encoding="utf-8")


def _rows(name: str) -> dict[str, str]:
    """The rows of a driver's options on the page."""
    part = PAGE.partition(f"### `{name}`:")[2].partition("\n##")[0]
    return {row.split("`")[1]: row for row in part.splitlines() if row.startswith("| `")}


OPTIONS = [
    (name, option)
    for name in ("alpha", "angel-eye", "escpos", "lines", "sabot-accounts", "sabot-link", "sabot-pads")
    for option in registry.load(name).schema
]


def test_the_page_has_the_options_of_each_driver_and_no_others() -> None:
    for name in {each for each, _ in OPTIONS}:
        assert list(_rows(name)) == [option.name for each, option in OPTIONS if each == name]


def test_every_bound_and_default_of_an_option_is_the_one_of_the_page() -> None:
    for name, option in OPTIONS:
        *_, values, default, _ = _rows(name)[option.name].split("|")
        assert values.strip() == bound_of(option), (name, option.name)
        said = {None: "needed", "": "empty"}.get(option.default, f"`{str(option.default).lower()}`")  # type: ignore[arg-type]
        assert default.strip().lower() == said, (name, option.name)
