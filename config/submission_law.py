"""The paragraphs that speak of a Rules Submission or of the posted sign and hold no number of their own.

Numbers, lists and orders of the law stand in the chapter files with their citations; what stands here are
bare duties ("shall specify", "shall be posted"), one row a chapter.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Duties:
    """Where a chapter asks for what."""

    wagers: str
    adjacent_boxes: str
    sign: str
    sign_phrases: str = ""
    sign_limit: str = ""
    meter_rates: str = ""
    meter_amounts: str = ""


DUTIES = {
    "pa641a": Duties("641a.7(d)", "641a.7(e)", "641a.2(b)(7)"),
    "md4cp": Duties(
        "ch.7.E", "ch.7.F", "ch.2.B(5)", meter_rates="ch.12.D(3)(a)", meter_amounts="ch.12.D(3)(b)"
    ),
    "pa679a": Duties("679a.7(d)", "679a.7(e)", "679a.2(b)(4)", "679a.2(b)(4)", "679a.2(b)(5)"),
    "pa682a": Duties("682a.7(d)", "682a.7(e)", "682a.2(b)(4)", sign_limit="682a.2(b)(5)"),
    "pa683a": Duties("683a.7(d)", "683a.7(e)", "683a.2(b)(4)", sign_limit="683a.2(b)(5)"),
}
