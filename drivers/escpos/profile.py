"""The options of a display in the table file, in which one display differs from the next.

A module of its own, for the driver reads them and is loaded only where there is a display.
"""

from sabot.drivers.options import Option, Schema

SCHEMA: Schema = (
    Option("port", None, "the serial port, best by its stable name", kind=str),
    Option("baud", 9600, "speed of the line", choices=(2400, 4800, 9600, 19200)),
    Option("brightness", 4, "how bright it is", low=1, high=4),
    Option("high_codes", "", "characters beyond ASCII that its test pattern showed right"),
    Option("presence", "none", "the modem line that says it is there", choices=("none", "dsr", "cts", "cd")),
    Option("presence_s", 1.0, "seconds between two looks at that line", low=0.05, high=60.0),
    Option("refresh_s", 30.0, "seconds until everything is sent again", low=1.0, high=3600.0),
    Option("scroll_s", 0.4, "seconds a step where a line does not fit", low=0.05, high=10.0),
)
