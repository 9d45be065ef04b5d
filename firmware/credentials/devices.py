"""The devices whose public keys two people have enrolled at this table.

A driver asks for the key under its device's name; a device that is not here, or proves another key, is a
stranger, whatever it says of itself.
"""

import asyncio
import json
from pathlib import Path

from sabot.drivers.enrolment import KEY_BYTES, fingerprint
from sabot.firmware.credentials.atomic_files import PRIVATE, write_whole
from sabot.firmware.credentials.errors import ERRORS, KeepError

FORMAT = 1


class EnrolledDevices:
    """Names and keys; the drivers' keyring."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys = _read(path)
        self._one_at_a_time = asyncio.Lock()

    def key_of(self, device: str) -> bytes | None:
        """Return the public key enrolled under this name, None where none is.

        One key is one device. A file of before may have it under two names: the first of them has it, so two
        devices that prove the same key are never both taken.
        """
        key = self._keys.get(device)
        return key if key is not None and self._owner(key) == device else None

    def _owner(self, key: bytes) -> str:
        return min((name for name, each in self._keys.items() if each == key), default="")

    def fingerprints(self) -> dict[str, str]:
        """Return the fingerprints that two people compared when they enrolled each device."""
        return {name: fingerprint(key) for name, key in sorted(self._keys.items())}

    async def enrol(self, name: str, key: bytes) -> None:
        """Enrol a device, or its new key; raise where another name has the key."""
        async with self._one_at_a_time:
            # Not before: another console may be writing this very key under another name.
            other = self._owner(key)
            if other not in ("", name):
                raise KeepError(ERRORS["E-KEEP-012"], "devices", other=other)
            await self._change(self._keys | {name: key})

    async def forget(self, name: str) -> None:
        """Take a device off the list."""
        self.verify_known(name)
        async with self._one_at_a_time:
            await self._change({each: key for each, key in self._keys.items() if each != name})

    def verify_known(self, name: str) -> None:
        """Raise where a device is not enrolled."""
        if name not in self._keys:
            raise KeepError(ERRORS["E-KEEP-009"], "devices", what=f"device {name}")

    async def _change(self, keys: dict[str, bytes]) -> None:
        content = {"format": FORMAT, "devices": {name: key.hex() for name, key in keys.items()}}
        data = json.dumps(content, indent=1).encode()
        try:
            await asyncio.to_thread(write_whole, self._path, data, PRIVATE)
        except OSError as error:
            raise KeepError(ERRORS["E-KEEP-001"], str(self._path), why=error.strerror or error) from error
        # After the medium: a key that no restart would know must not be believed until then.
        self._keys = keys


def read_key(text: str) -> bytes:
    """Read a public key as people copy it: 64 hexadecimal digits."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise KeepError(ERRORS["E-KEEP-011"], "key", text=text, wanted=f"{2 * KEY_BYTES} hexadecimal digits")
    return key


def _read(path: Path) -> dict[str, bytes]:
    try:
        content = json.loads(path.read_bytes())
        return {str(name): read_key(key) for name, key in content["devices"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise KeepError(ERRORS["E-KEEP-002"], str(path), name=path.name, why=error) from error
