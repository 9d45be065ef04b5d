"""The file of a table with lines, a display and pads, of which no card is known."""

from pathlib import Path

SUBMISSIONS = Path(__file__).resolve().parents[2] / "config/submissions"
PADS = {
    "pa641a": 'spots = "ante aces_up prog4 prog5 bad_beat six_card play"',
    "pa679a": 'spots = "ante prime pair_bonus all_six play"\nseats = 6',
}


def plain_table(state: Path | str, chapter: str = "pa679a", *, is_simulated: bool = False) -> str:
    """Return its text."""
    return f"""
table = "Table 7"
submission = "{SUBMISSIONS / chapter}.toml"
simulated = {str(is_simulated).lower()}
smallest_chip_cents = 500
[cards]
knowledge = "none"
shuffler = "plain"
[device.lines]
driver = "lines"
[device.display]
driver = "escpos"
port = "/dev/ttyUSB0"
[device.pads]
driver = "sabot-pads"
{PADS[chapter]}
[storage]
state = "{state}"
"""
