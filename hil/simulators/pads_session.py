"""The identity of a simulated pad, and one session with a host: greeting, proof, keys."""

import hashlib
import hmac
import secrets
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from sabot.hil.simulators import pads_wire as wire

_ALL, _ALL_BUT_VALUES = 31, 30


class Build(NamedTuple):
    """The build of a pad, as it leaves the factory."""

    spots: int = 21
    has_values: bool = True
    maker: str = "Sabot"
    model: str = "Simulated pad"
    serial: str = "SIM0001"
    firmware: str = "1.0.0"
    signing_key: bytes = hashlib.sha256(b"simulated pad").digest()

    @property
    def public(self) -> bytes:
        """Return the key under which it is enrolled."""
        return Ed25519PrivateKey.from_private_bytes(self.signing_key).public_key().public_bytes_raw()


class PadSession:
    """A session, from HELLO on; ``taken`` and ``made`` count orders and states."""

    def __init__(self, build: Build, boot: int, hello: dict[str, Any], time_ms: int) -> None:
        self.number, self.nonce = hello["session"], hello["nonce"]
        self.proof = self.key_in = self.key_out = b""
        self.taken = self.made = 0
        private = X25519PrivateKey.generate()
        payload = wire.identity_payload(_who(build, boot, hello, private))
        self.identity = wire.put_together(wire.IDENTITY, payload, session=self.number, time_ms=time_ms)
        if hello["wants"] & 1:
            self._prove(build, hello, private, len(payload), time_ms)

    def _prove(
        self, build: Build, hello: dict[str, Any], private: X25519PrivateKey, length: int, time_ms: int
    ) -> None:
        identity = self.identity[: wire.HEADER_BYTES + length]
        said = hashlib.sha256(b"sabot-pads/1 transcript" + hello["signed"] + identity).digest()
        signer = Ed25519PrivateKey.from_private_bytes(build.signing_key)
        signature = signer.sign(b"sabot-pads/1 proof" + said)
        self.proof = wire.put_together(wire.PROOF, signature, session=self.number, time_ms=time_ms)
        shared = private.exchange(X25519PublicKey.from_public_bytes(hello["key"]))
        keys = HKDF(SHA256(), 64, said, b"sabot-pads/1 session").derive(shared)
        self.key_in, self.key_out = keys[:32], keys[32:]

    def is_fit(self, order: dict[str, Any]) -> bool:
        """Return whether an order is new and comes from the holder of the key."""
        right = hmac.new(self.key_in, order["signed"], hashlib.sha256).digest()[: wire.MAC_BYTES]
        return order["sequence"] > self.taken and (
            not self.key_in or hmac.compare_digest(right, order["mac"])
        )

    def state(self, payload: bytes, time_ms: int) -> bytes:
        """Return a STATE with the number of the last one made."""
        return wire.put_together(
            wire.STATE,
            payload,
            session=self.number,
            sequence=self.made,
            ack=self.taken,
            time_ms=time_ms,
            key=self.key_out,
        )

    def forged(self, payload: bytes) -> bytes:
        """Return a STATE of somebody who does not have the key."""
        return wire.put_together(
            wire.STATE, payload, session=self.number, sequence=self.made + 1, ack=self.taken, key=bytes(32)
        )


def _who(build: Build, boot: int, hello: dict[str, Any], private: X25519PrivateKey) -> dict[str, Any]:
    texts = {name: getattr(build, name) for name in ("maker", "model", "serial", "firmware")}
    return texts | {
        "version": 1 if hello["lowest"] <= 1 <= hello["highest"] else 0,
        "spots": build.spots,
        "capabilities": _ALL if build.has_values else _ALL_BUT_VALUES,
        "boot": boot,
        "nonce": secrets.token_bytes(32),
        "key": private.public_key().public_bytes_raw(),
        "public": build.public,
    }
