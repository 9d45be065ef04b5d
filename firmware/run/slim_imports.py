"""Keep modules out of memory that the program of the device never uses: import this before what needs them.

asyncio brings TLS with it wherever Python has it, 3 MB that a table controller without a network never uses,
and hashlib the system's OpenSSL, 3.6 MB beside the one that signs (``drivers/hashing.py``). While they are
imported here there is neither, as on a Python that was built without; afterwards ``import ssl`` works as
ever. Where one of them is there already, nothing is done.

What others import and a table never calls, such as random names (uuid) or every alias of a language (locale),
is read when it is first asked for something.
"""

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec

from sabot.firmware.run import garbage

# A module, and the one that it does without where that cannot be imported.
WITHOUT = (("asyncio", "ssl"), ("hashlib", "_hashlib"), ("hmac", "_hashlib"))
# A Python that has no sums but OpenSSL's needs it. The names are those of drivers/hashing.py, which is not
# imported here: it would bring what this is to be imported before.
OWN_SUMS = ("_sha256", "_sha2")
# Imported by asyncio (locale), pathlib (ipaddress), structlog (uuid, with platform) and ctypes.util (shutil,
# with three kinds of archives, and tempfile), for no call of ours.
WHEN_ASKED = ("locale", "ipaddress", "uuid", "shutil", "tempfile")


# What a start makes stays, but for little: looking for garbage after each 700 of its objects is a twentieth
# of its work.
garbage.put_off()


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


def _import_when_asked(name: str) -> None:
    """Put a module into its place that reads itself at the first look at one of its names.

    Not importlib's LazyLoader: with that the next import of the module is such a look (Python 3.11).
    """
    spec = find_spec(name)
    if spec is None or (loader := spec.loader) is None:
        return
    module = module_from_spec(spec)

    def read(attribute: str) -> object:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        del module.__dict__["__getattr__"]
        loader.exec_module(module)
        return getattr(module, attribute)

    module.__dict__["__getattr__"] = read
    sys.modules[name] = module


for _name in WHEN_ASKED:
    if _name not in sys.modules:
        _import_when_asked(_name)
for _name, _other in WITHOUT:
    if _name not in sys.modules and _other not in sys.modules and (_other == "ssl" or _has_own_sums()):
        _import_without(_name, _other)
