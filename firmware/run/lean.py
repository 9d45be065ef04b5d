"""What the program of the device leaves out of memory: to be imported before anything that needs it.

asyncio brings TLS with it wherever Python has it, 3 MB that a table controller without a network never uses,
and hashlib the system's OpenSSL, 3.6 MB beside the one that signs (``drivers/sums.py``). While they are
imported here there is neither, as on a Python that was built without; afterwards ``import ssl`` works as
ever. Where one of them is there already, nothing is done.
"""

import sys
from importlib import import_module

# A module, and the one that it does without where that cannot be imported.
WITHOUT = (("asyncio", "ssl"), ("hashlib", "_hashlib"), ("hmac", "_hashlib"))
# A Python that has no sums but OpenSSL's needs it.
OWN_SUMS = ("_sha256", "_sha2")


def _has_own_sums() -> bool:
    for name in OWN_SUMS:
        try:
            import_module(name)
        except ImportError:
            continue
        return True
    return False


def _import_without(name: str, other: str) -> None:
    sys.modules[other] = None  # type: ignore[assignment] # an import that fails, as the language says
    try:
        import_module(name)
    finally:
        del sys.modules[other]


for _name, _other in WITHOUT:
    if _name not in sys.modules and _other not in sys.modules and (_other == "ssl" or _has_own_sums()):
        _import_without(_name, _other)
