"""Which paragraph a step stands on, in each chapter and for each method of dealing.

The rooms name their paragraphs as 641a numbers them; here is what the same step is called elsewhere. A triple
is by method: from a manual shoe, from the hand, from an automated shoe. Where a chapter has no such paragraph
the step is our own policy and says so.
"""

from collections.abc import Mapping

from sabot.rules.chapter import Chapter
from sabot.statemachine.faultrows import POLICY

Name = str | tuple[str, ...]

METHODS = ("manual_shoe", "hand")
COMMON: Mapping[str, Name] = {
    "8(b)": ("8(b)", "9(a)(3)", "10(a)(2)"),
    "8(d)": ("8(d)", "9(b)", "10(b)"),
    "8(e)": ("8(e)", "9(c)", "10(c)"),
    "8(f)": ("8(f)", "9(d)", "10(d)"),
    "8(h)": ("8(h)", "9(f)", "10(f)"),
}
# The three younger chapters have no chips to count, so that 8(c) to (g) stand one letter earlier.
YOUNGER: Mapping[str, Name] = {
    "8(b)": COMMON["8(b)"],
    "8(d)": ("8(c)", "9(b)", "10(b)"),
    "8(e)": ("8(d)", "9(c)", "10(c)"),
    "8(f)": ("8(e)", "9(d)", "10(d)"),
    "8(h)": ("8(g)", "9(f)", "10(f)"),
}
CHAPTERS: Mapping[str, Mapping[str, Name]] = {
    "pa641a": COMMON,
    "pa679a": {**YOUNGER, "11(d)": "11(e)"},
    "pa682a": {**YOUNGER, "11(c)": "11(d)", "11(d)": "11(f)"},
    "pa683a": {**YOUNGER, "8(e)": ("8(d)", "9(c)", "10(c)(2)"), "11(c)": "11(h)", "11(d)": "11(j)"},
    "md4cp": {
        "3(b)(1)": "3.B(2)",
        "3(c)": "3.C",
        "4(a)": "4.A",
        "4(b)": "4.B",
        "4(c)": "4.C",
        "5(a)": "5.A",
        "5(b)": "5.B",
        "5(c)(1)": "5.C(1)",
        "5(d)": "5.D",
        "5(e)": "5.E",
        "5(f)": "5.F",
        "7(b)": "7.B(2)",
        "7(c)": "7.D",
        "7(d)": "7.E",
        "7(e)": "7.F",
        "8(b)": ("8.C", "9.A(3)", "10.A(2)"),
        "8(b) chips": ("8.C(2)(b)", "9.A(4)(b)", "10.A(3)(b)"),
        "8(d)": ("8.E", "9.B", "10.B"),
        "8(e)": ("8.F(2)", "9.B(7)", "10.C(2)"),
        "8(f)": ("8.G", "9.C", "10.D"),
        "8(h)": ("8.H(2)", "9.E", "10.E"),
        "11(b)": "11.B",
        "11(c)": "11.D(4)",
        "11(c) turn": "11.D(2)",
        "11(c)(5)(iii)": "11.D(10)(c)",
        "11(d)": "11.D(11)(b)",
        "13": "13",
        "13(a)": "13.A",
        "13(b)": "13.C",
        "13(c)": "13.D",
        "13(d)": "13.E",
        "13(e)": "13.F",
        "13(f)": "13.G",
        "13(g)": "13.H",
    },
}
# What only 641a has; in Maryland a hit's documents are our policy.
ONLY_641A = frozenset({"2(d)", "11(c)(5)(iii)", "11(c)(5)(iv)", "12(g)(3)"})
ASK, TURN = "11(b)", "11(c) turn"
# Cajun Stud asks three times and turns a card after each.
STREETS: Mapping[str, tuple[str, ...]] = {
    ASK: ("11(b)", "11(d)", "11(f)"),
    TURN: ("11(c)", "11(e)", "11(g)"),
}


def cite(chapter: Chapter, section: str, method: str, street: int = 0) -> str:
    """A paragraph of this chapter for this method of dealing, or that the step is our own policy."""
    name = _name(chapter.id, section, street)
    if isinstance(name, tuple):
        name = name[METHODS.index(method) if method in METHODS else len(METHODS)]
    if not name:
        return POLICY
    return f"{chapter.cite}.{name}" if chapter.id.startswith("pa") else f"ch.{name}"


def _name(chapter: str, section: str, street: int) -> Name:
    names = CHAPTERS[chapter]
    if section in STREETS and chapter == "pa683a":
        return STREETS[section][street]
    if section in names:
        return names[section]
    if section == "-" or (section in ONLY_641A and chapter != "pa641a"):
        return ""
    whole = section.partition(" ")[0]
    return names.get(whole, whole)
