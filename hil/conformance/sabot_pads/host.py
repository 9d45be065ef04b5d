"""The kit's host of Sabot pads: it opens sessions and proves who answers."""

import os
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from sabot.hil.conformance import proving
from sabot.hil.conformance.kit import WrongError
from sabot.hil.conformance.sabot_pads.frame_reader import IDENTITY, PROOF, PadsCame
from sabot.hil.conformance.sabot_pads.talk import BEAT_S, EVERY, GREETING_S, PAGE, PadTalk
from sabot.hil.simulators.pads_wire import HELLO, PROVE


class PadKit(PadTalk):
    """A host on one set of pads: its sessions."""

    def expect(self, kind: int, words: str, within_s: float = GREETING_S) -> PadsCame:
        """Wait for an answer to the greeting, and return it."""
        came = self.until(lambda: next((each for each in self.answers if each.kind == kind), None), within_s)
        if came is None:
            raise WrongError(f"no {words} within {within_s:g} s")
        assert isinstance(came, PadsCame)
        self.answers.remove(came)
        return came

    def hello(self, lowest: int = 1, highest: int = 1) -> tuple[bytes, X25519PrivateKey]:
        """Send a new HELLO; return the frame, and the private key of this session."""
        self._forget()
        private = X25519PrivateKey.generate()
        self.number = int.from_bytes(os.urandom(4), "big") or 1
        payload = bytes((lowest, highest, int(self.setting.is_authenticated))) + os.urandom(32)
        frame = self.frame(HELLO, payload + private.public_key().public_bytes_raw())
        self.send(frame)
        return frame, private

    def greet(self) -> PadsCame:
        """Send HELLO, and return its IDENTITY, proved if authentication is wanted."""
        frame, private = self.hello()
        came = self.expect(IDENTITY, "IDENTITY")
        self.identity = came.fields
        if self.setting.is_authenticated:
            self._agree(frame[:-4], came, private)
        return came

    def _agree(self, hello: bytes, came: PadsCame, private: X25519PrivateKey) -> None:
        self.send(self.frame(PROVE, b""))
        proof = self.expect(PROOF, "PROOF")
        said = proving.transcript(hello, came.signed, PAGE)
        if not proving.is_right(came.fields["public"], proof.fields["signature"], said, PAGE):
            raise WrongError(
                "the signature in PROOF does not fit this HELLO, this IDENTITY and its public key"
            )
        try:
            shared = private.exchange(X25519PublicKey.from_public_bytes(came.fields["key"]))
        except ValueError as error:
            raise WrongError("the X25519 key in IDENTITY makes a secret of zeros") from error
        self.key_out, self.key_in = proving.session_keys(shared, said, PAGE)

    def open(self, *, is_beating: bool = True) -> dict[str, Any]:
        """Open a whole session with everything locked, and return the first STATE."""
        self.greet()
        first = self.acknowledged(self.order(seen=0))
        self.is_beating = is_beating
        self.want()
        return first

    def unlocked(self, *numbers: int) -> dict[str, Any]:
        """Lock everything but these spots, and return the STATE that shows it."""
        return self.want(locked=EVERY & ~sum(1 << number for number in numbers), expected=0)

    def silence_after(self, raw: bytes, words: str) -> None:
        """Send bytes that must be thrown away: no STATE may acknowledge them or show them obeyed."""
        self.is_beating, heard = False, len(self.states)
        self.send(raw)
        self.wait(BEAT_S / 2)
        for each in self.states[heard:]:
            self.demand(each.ack <= self.sent, f"{words}: acknowledged")
            self.demand(self._fits(each.fields), f"{words}: obeyed")
        self.is_beating = True
        self.demand(self._fits(self.want()), f"{words}: obeyed")

    def _fits(self, told: dict[str, Any]) -> bool:
        mask = (1 << self.identity["spots"]) - 1
        has_locks = (told["locked"] ^ self.wants["locked"]) & mask == 0
        return bool(has_locks and told["seats"] == self.wants["seats"])
