"""What the program of the device leaves out of memory: to be imported before anything that needs asyncio.

asyncio brings TLS with it wherever Python has it, 3 MB that a table controller without a network never uses.
While asyncio is imported here there is none, as on a Python that was built without; afterwards ``import ssl``
works as ever. Where asyncio is there already, nothing is done.
"""

import sys

if "asyncio" not in sys.modules and "ssl" not in sys.modules:
    sys.modules["ssl"] = None  # type: ignore[assignment] # an import that fails, as the language says
    try:
        import asyncio  # noqa: F401
    finally:
        del sys.modules["ssl"]
