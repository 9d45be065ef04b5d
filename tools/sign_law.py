"""Sign a folder of chapters with the release key: ``python tools/sign_law.py DIR --key release.pem``.

It runs where releases are made. Every file is read as a table would read it, each chapter strictly; then the
manifest and its signature are written beside them.
"""

import argparse
from pathlib import Path

from sabot.config.loader import MANIFEST, SIGNATURE, ChapterLaw
from sabot.config.submission import load_submission
from sabot.config.submission_rules import problems
from sabot.firmware.integrity.law import sign_law
from sabot.firmware.integrity.signature import read_private_key
from sabot.rules.errors import SabotError


def main() -> int:
    """Check the folder, and sign it."""
    parser = argparse.ArgumentParser(description="Sign a folder of chapters with the release key.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--key", type=Path, required=True, help="the private release key, a PEM file")
    args = parser.parse_args()
    try:
        law = ChapterLaw(args.folder)
        verify(law)
        manifest, made = sign_law(law, read_private_key(args.key))
    except SabotError as error:
        print(f"sign_law: {error}")
        return 2
    (args.folder / MANIFEST).write_bytes(manifest)
    (args.folder / SIGNATURE).write_bytes(made)
    print(f"{args.folder}: {len(law.files)} files signed, SHA-256 {law.sha256}")
    return 0


def verify(law: ChapterLaw) -> None:
    """Raise where a chapter cannot be, or an example does not stand."""
    for name in law.files:
        folder, _, stem = name.removesuffix(".toml").rpartition("/")
        if folder == "chapters":
            law.chapter(stem)
        if folder == "submissions":
            submission = load_submission(Path(law.place_of(name)), law)
            for problem in problems(submission, law.chapter(submission.chapter)):
                raise SystemExit(f"sign_law: {name}: {problem.code} {problem.key}: {problem.what}")


if __name__ == "__main__":
    raise SystemExit(main())
