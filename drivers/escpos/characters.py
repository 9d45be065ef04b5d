"""Only characters that a real display has: plain ASCII, and what a technician has seen on this one.

In code page 437 the section sign and the suits are control codes, so they are spelt in letters; a high code
is sent only where the table file names its character, after the test pattern showed it.
"""

SPELT = str.maketrans(
    {
        "§": "s.",
        "♠": "s",
        "♥": "h",
        "♦": "d",
        "♣": "c",
        "\u00d7": "x",
        "\u2013": "-",
        "\u2014": "-",
        "\u2019": "'",
        "\u2026": "...",
        "\u00a0": " ",
    }
)
UNKNOWN = b"?"
_FIRST, _LAST, _HIGH = 0x20, 0x7E, 0x80


def code_of(character: str, tested: str) -> bytes:
    """The byte that shows a character, or a question mark."""
    code = character.encode("cp437", "replace")
    if _FIRST <= code[0] <= _LAST or (code[0] >= _HIGH and character in tested):
        return code
    return UNKNOWN


def codes_of(text: str, tested: str = "") -> bytes:
    """A line of text as bytes for the display."""
    return b"".join(code_of(character, tested) for character in text.translate(SPELT))
