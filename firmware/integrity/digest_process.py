"""The digests of everything that runs, made by a process beside the program.

Some thousand files are read and digested, and while Python does that nothing else of it runs for more than
half a second: a loop that must lock within milliseconds does not do it itself, nor on a thread. The helper
is the same interpreter and the same release. It is told which libraries the program has mapped, for those
count and not its own.
"""

import json
import sys
from collections.abc import Generator
from pathlib import Path

from sabot.firmware.integrity.covered_files import mapped_libraries
from sabot.firmware.integrity.errors import VerifyError

MODULE = "sabot.firmware.integrity.digest_process"


def digests(challenge: bytes) -> Generator[str, None, None]:
    """Yield the lines of the helper, one after the other; VerifyError where it cannot cover a file."""
    import subprocess  # noqa: PLC0415 - asked for by a person, seldom

    asked = {"challenge": challenge.hex(), "mapped": list(map(str, mapped_libraries()))}
    # Isolated, as the units begin the program: no variable puts another package before its own.
    command = [sys.executable, "-I", "-m", MODULE]
    with subprocess.Popen(  # noqa: S603 (our own interpreter and module)
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as helper:
        assert helper.stdin is not None  # they are pipes
        assert helper.stdout is not None
        try:
            helper.stdin.write(json.dumps(asked))
            helper.stdin.close()
            yield from (line.rstrip("\n") for line in helper.stdout)
        except GeneratorExit:  # whoever asked has gone
            helper.kill()
            raise
        why = helper.stderr.read() if helper.stderr is not None else ""
    if helper.returncode:
        raise VerifyError("E-VERIFY-009", "verify", why=why.strip().rpartition("\n")[2] or "the helper ended")


def main() -> int:
    """Answer on standard output what was asked on standard input."""
    from sabot.firmware.integrity.digest import digest, lines  # noqa: PLC0415 - the program itself needs neither
    from sabot.firmware.integrity.installation import here  # noqa: PLC0415

    asked = json.loads(sys.stdin.read())
    where = here()
    try:
        found = digest(where, bytes.fromhex(asked["challenge"]), tuple(map(Path, asked["mapped"])))
    except VerifyError as error:
        print(error.what, file=sys.stderr)
        return 1
    print("\n".join(lines(found, where)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
