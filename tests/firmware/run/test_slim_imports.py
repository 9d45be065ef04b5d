"""The program does without TLS, a second OpenSSL and what reads mail and archives, and takes it from nobody."""

from __future__ import annotations

import subprocess
import sys


def said(words: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_program_loads_no_tls() -> None:
    words = "import sys, sabot.firmware.commands.run; print('ssl' in sys.modules, '_ssl' in sys.modules)"
    assert said(words) == "False False"


def test_whoever_wants_tls_afterwards_has_it_and_the_loop_runs() -> None:
    words = (
        "import sabot.firmware.run.slim_imports, asyncio, ssl\n"
        "print(asyncio.run(asyncio.sleep(0, result=ssl.create_default_context().check_hostname)))"
    )
    assert said(words) == "True"


def test_where_asyncio_is_there_already_nothing_is_done() -> None:
    words = "import sys, asyncio, sabot.firmware.run.slim_imports; print('ssl' in sys.modules)"
    assert said(words) == "True"


# 2 to 4 MB each of what a table's program never calls: the system's OpenSSL beside the one that signs; mail,
# tables and archives for three lines of an entry point; certificates and SSH for 32 bytes of a key.
NEVER = ("_hashlib", "importlib.metadata", "zipfile", "email", "lzma", "bz2", "cryptography.x509")
NOR = ("cryptography.hazmat.primitives.serialization.ssh", "argparse", "gettext")


def test_the_program_loads_nothing_that_it_never_calls() -> None:
    words = f"import sys, sabot.firmware.commands.run; print([n for n in {NEVER + NOR} if n in sys.modules])"
    assert said(words) == "[]"


def test_sums_are_right_without_the_systems_openssl_and_whoever_wants_it_afterwards_has_it() -> None:
    words = (
        "import sabot.firmware.run.slim_imports, hashlib, hmac\n"
        "from sabot.drivers import hashing\n"
        "made = hashing.Sum(b'a'); made.update(b'bc')\n"
        "print(hashlib.sha256(b'abc').hexdigest() == hashing.sha256(b'abc').hex() == made.hexdigest(),\n"
        "      hmac.new(b'k', b'abc', 'sha256').digest() == hashing.keyed(b'k', b'abc'))\n"
        "import _hashlib; print(_hashlib.__name__)"
    )
    assert said(words).split() == ["True", "True", "_hashlib"]


def test_what_others_import_and_nobody_asks_is_not_read() -> None:
    words = (
        "import sys, sabot.cli, sabot.firmware.commands.run\n"
        "from sabot.firmware.run.slim_imports import WHEN_ASKED\n"
        "print([n for n in WHEN_ASKED if '__getattr__' not in vars(sys.modules[n])], 'platform' in sys.modules)"
    )
    assert said(words) == "[] False"


def test_whoever_asks_has_the_module_as_it_is_and_only_once() -> None:
    words = (
        "import sabot.firmware.run.slim_imports, ipaddress, locale, uuid\n"
        "print(ipaddress.ip_address('::1').is_loopback, len(uuid.uuid4().hex), locale.getencoding() != '')\n"
        "import ipaddress as again; print(again is ipaddress, '__getattr__' in vars(ipaddress))\n"
        "from urllib.parse import urlsplit; print(urlsplit('http://[::1]/').hostname)\n"
        "print(hasattr(uuid, 'nothing'))\n"
        "import inspect, shutil; print(inspect.signature(shutil.which))"
    )
    assert said(words).split()[:7] == ["True", "32", "True", "True", "False", "::1", "False"]
    assert said(words).splitlines()[-1].startswith("(cmd, mode=")
