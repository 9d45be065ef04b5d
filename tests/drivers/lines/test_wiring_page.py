"""The page on wiring names the pins that the program has."""

from pathlib import Path

from sabot.drivers.lines import KIND
from sabot.drivers.lines.plan import INPUTS, OUTPUTS

PAGE = Path(__file__).parents[3] / "docs/wiring.md"


def pins_part() -> str:
    """What stands between the marks."""
    defaults = {option.name: option.default for option in KIND.schema}
    keys = [name for name in INPUTS if name.startswith("key_") and name != "key_switch"]
    words = ", ".join(f"`{name}` {defaults[name]}" for name in keys)
    return f"Keys: {words}."


def test_the_page_has_the_pins_of_the_program() -> None:
    page = PAGE.read_text(encoding="utf-8")
    part = page.split("<!-- pins -->\n")[1].split("\n<!-- /pins -->")[0]

    assert part == pins_part()
    for option in KIND.schema:
        if option.name in (*INPUTS, *OUTPUTS) and not option.name.startswith("key_"):
            assert f"| `{option.name}` | {option.default} |" in page
