"""``sabot verify``: which program runs here, as a field check asks for it."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from sabot.config.loader import ChapterLaw
from sabot.firmware.integrity.check import verify_program
from sabot.firmware.integrity.compiled import not_of_their_source
from sabot.firmware.integrity.digest import Digest, digest, lines, read_challenge
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.installation import Installation, here
from sabot.firmware.integrity.law import verify_law

EPILOG = """\
examples:
  sabot verify                              what was covered, a digest of each group and of all
  sabot verify --challenge 9f3c...          and the answer to a challenge (HMAC-SHA-256)
  sabot verify --recompile                  compile every source again and compare
  sabot verify --json > board.json          for tools/digest_medium.py, which checks from outside
  sabot verify --law /etc/sabot/ours        and whether the pinned key has signed a folder of chapters

Exit codes: 0 the program is the one that was signed (or a development installation, which is said), 1 it is
not, with the files by name, 2 something could not be read.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--challenge", default="", metavar="HEX", help="16 to 64 bytes, new each time")
    parser.add_argument("--recompile", action="store_true", help="compare compiled files with their sources")
    parser.add_argument("--json", action="store_true", help="as JSON, with the names of the native libraries")
    parser.add_argument("--law", type=Path, metavar="DIR", help="and whether a folder of chapters is signed")


def run(args: argparse.Namespace) -> int:
    """Verify this program."""
    where = here()
    challenge = read_challenge(args.challenge) if args.challenge else b""
    found = digest(where, challenge)
    law = ChapterLaw(args.law) if args.law else None
    troubles = [*_troubles(where, is_recompiling=args.recompile), *_of_law(law, where)]
    if args.json:
        print(json.dumps(_facts(found, where, troubles) | _law_facts(law), indent=2))
    else:
        print("\n".join(lines(found, where)))
        if law and not troubles:
            print(f"chapters of {args.law}: signed by the pinned key, SHA-256 {law.sha256}")
        for trouble in troubles:
            print(f"sabot verify: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


def _troubles(where: Installation, *, is_recompiling: bool) -> list[str]:
    found = []
    try:
        if not where.is_development:
            verify_program(where)
    except VerifyError as error:
        found.append(str(error))
    if is_recompiling:
        site = where.site if where.program.is_relative_to(where.site) else where.program
        changed = [str(path) for path in not_of_their_source(site)]
        found += [f"{name}: not what its source compiles to" for name in changed]
    return found


def _of_law(law: ChapterLaw | None, where: Installation) -> list[str]:
    """Return why a folder of chapters is not what was signed, or nothing."""
    try:
        if law:
            verify_law(law, where)
    except VerifyError as error:
        return [str(error)]
    return []


def _law_facts(law: ChapterLaw | None) -> dict[str, object]:
    return {"law": {"folder": str(law.folder), "sha256": law.sha256}} if law else {}


def _facts(found: Digest, where: Installation, troubles: list[str]) -> dict[str, object]:
    return {
        **asdict(found),
        "groups": [group._asdict() for group in found.groups],
        "development": where.is_development,
        "release": str(where.release or ""),
        "troubles": troubles,
    }
