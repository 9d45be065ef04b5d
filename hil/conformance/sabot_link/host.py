"""The kit's host of Sabot Link: it opens sessions, proves who answers, and gives commands."""

import os
from collections.abc import Mapping

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from sabot.hil.conformance import proving
from sabot.hil.conformance.kit import WrongError
from sabot.hil.conformance.sabot_link.frame_reader import Came
from sabot.hil.conformance.sabot_link.talk import ANSWER_S, GREETING_S, SAID, SESSION, LinkTalk
from sabot.hil.simulators.sabot_link.wire import WireHeard, frame_of, head_of


class LinkKit(LinkTalk):
    """A host on one line: its sessions and commands; anybody can see what ``free`` and ``hold`` do."""

    kinds: Mapping[int, str] = {1: "shuffler", 2: "packet shoe", 3: "shuffler and packet shoe"}
    state_name, free, hold = "STATE", "FREE", "HOLD"
    freed = "let the cards out"
    held = "the cards held"

    def is_held(self, state: WireHeard) -> bool:
        """Return whether the device is in its safe state."""
        return bool(state["gate"] == 1)

    def judge_kind(self, who: WireHeard) -> None:
        """Check that a device has the capabilities of its kind."""
        # The kinds are numbered as the capabilities that they need: 1 shuffles, 2 dispenses, 3 does both.
        needed = who["kind"]
        has = who["capabilities"] & needed
        self.demand(has == needed, f"a {self.kinds[who['kind']]} with the capabilities {who['capabilities']}")

    def hello(self, **changed: object) -> tuple[bytes, X25519PrivateKey]:
        """Send a new HELLO; return its head, and the private key of this session."""
        self._forget()
        private = X25519PrivateKey.generate()
        self.number = int.from_bytes(os.urandom(4), "big") or 1
        last = self.told[-1] if self.told else None
        values: dict[str, object] = {
            "lowest": 1,
            "highest": 1,
            "wants": 3 if self.setting.is_authenticated else 2,
            "boot": last.boot if last else 0,
            "event": last.number if last else 0,
            "nonce": os.urandom(32),
            "key": private.public_key().public_bytes_raw(),
        }
        head = head_of("HELLO", self.number, 0, 0, {**values, **changed}, maced=False)
        # The 00 before it ends whatever half a frame may be on the line.
        self.send(b"\0" + frame_of(head))
        return head, private

    def greet(self, **changed: object) -> Came:
        """Send HELLO, and return its IDENTITY, proved if authentication is wanted."""
        return self.greet_kept(**changed)[1]

    def greet_kept(self, **changed: object) -> tuple[bytes, Came]:
        """Greet, and return the head of the HELLO with its IDENTITY."""
        head, private = self.hello(**changed)
        came = self.expect("IDENTITY", GREETING_S)
        self.identity = came.message
        if self.setting.is_authenticated:
            self._agree(head, came, private)
        self.note(SESSION, came.message)
        return head, came

    def _agree(self, head: bytes, came: Came, private: X25519PrivateKey) -> None:
        self.say("PROVE")
        proof = self.expect("PROOF", GREETING_S)
        transcript = proving.transcript(head, came.body)
        if not proving.is_right(came.message["public"], proof.message["signature"], transcript):
            raise WrongError(
                "the signature in PROOF does not fit this HELLO, this IDENTITY and its public key"
            )
        try:
            shared = private.exchange(X25519PublicKey.from_public_bytes(came.message["key"]))
        except ValueError as error:
            raise WrongError("the X25519 key in IDENTITY makes a secret of zeros") from error
        self.key_out, self.key_in = proving.session_keys(shared, transcript)

    def open(self, **changed: object) -> WireHeard:
        """Open a whole session with what was kept, and return its STATE."""
        self.greet(**changed)
        state = self.query()
        self.is_open = True
        self.until(lambda: sum("event" in each.message for each in self.inbox) >= state["kept"], ANSWER_S)
        return state

    def query(self) -> WireHeard:
        """Send QUERY, and return its STATE."""
        self.order("QUERY")
        sequence = self.sent
        return self.expect(self.state_name, ANSWER_S, lambda m: m["command"] == sequence).message

    def order(self, name: str, **values: object) -> None:
        """Send a command, and wait until it is acknowledged."""
        self.sent += 1
        sequence = self.sent
        at = self.say(name, sequence, **values)
        if name in SAID:
            self.note(name, values, sequence)
        came = self.until(lambda: self._acknowledged(sequence), ANSWER_S)
        if not came:
            raise WrongError(f"{name} was never acknowledged{' under a right MAC' if self.forged else ''}")
        self.ack_times.append(came - at)

    def _acknowledged(self, sequence: int) -> float | None:
        found = [each.at for each in self.inbox + self.repeats if each.message.ack == sequence]
        return min(found, default=None)

    def command(self, name: str, **values: object) -> int:
        """Send a command, and return the code of its RESULT."""
        self.order(name, **values)
        return self.result(self.sent)

    def result(self, sequence: int) -> int:
        """Return the code of the RESULT to this command."""
        came = self.expect("RESULT", ANSWER_S, lambda m: m["command"] == sequence)
        return int(came.message["code"])

    def must(self, name: str, code: int, words: str, **values: object) -> None:
        """Send a command that has to be answered with this code."""
        got = self.command(name, **values)
        self.demand(got == code, f"{name} {words}: RESULT {got}, not {code}")

    def event(self, name: str, within_s: float = ANSWER_S) -> WireHeard:
        """Return the next event of this kind."""
        return self.expect(name, within_s).message
