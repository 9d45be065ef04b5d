"""The broker between tables and floor: it is asked to carry, and believed nothing.

MQTT 5 over TLS 1.3 with a certificate at both ends. Everything goes with quality 0: a broker's receipt is
none (one that was killed lost every message it had acknowledged), so nobody waits for it; the sender keeps
what the floor has not acknowledged and says it again. No session is kept: whoever comes back asks anew.

The library has a thread of its own, and calls back from it. Whoever owns a ``Broker`` reads ``trouble`` and
``failed`` from another one, and may send and change its topics at any time.
"""

import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from sabot.floor import wire
from sabot.floor.errors import FloorError

ROOT = "sabot/1"
UP_FROM_ALL = f"{ROOT}/up/+"
KEEPALIVE_S = 5
CONNECT_S = 5.0
SOONEST_S, LATEST_S = 1, 4  # between two attempts to connect
# A payload, and room for what MQTT puts around it.
MOST_PACKET = wire.MOST_BYTES + 1024

Hear = Callable[[str, bytes], None]


STATE_FROM_ALL = f"{ROOT}/state/+"


def state(table: str) -> str:
    """Return the topic on which a table tells its state."""
    return f"{ROOT}/state/{table}"


def up(table: str) -> str:
    """Return the topic on which a table speaks."""
    return f"{ROOT}/up/{table}"


def down(table: str) -> str:
    """Return the topic on which a table is spoken to."""
    return f"{ROOT}/down/{table}"


def value(link: str) -> str:
    """Return the topic on which the signs of a link are told what to show."""
    return f"{ROOT}/value/{link}"


class Address(NamedTuple):
    """The broker's address, its authority, and our own identity to it."""

    host: str
    port: int
    ca: Path
    certificate: Path
    key: Path


def tls(address: Address) -> ssl.SSLContext:
    """Return the TLS context: version 1.3, both ends proved; raise FloorError for unusable certificates."""
    try:
        context = ssl.create_default_context(cafile=address.ca)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(address.certificate, address.key)
    except OSError as error:
        why = error.strerror or str(error)
        raise FloorError("E-FLOOR-018", address.host, why=f"its certificates: {why}") from error
    return context


class Broker:
    """A connection to the broker, made again whenever it is lost; ``hear`` is called by its own thread."""

    def __init__(self, address: Address, identifier: str, hear: Hear) -> None:
        self._address, self._hear = address, hear
        self._lock = threading.Lock()
        self._topics: frozenset[str] = frozenset()
        self.trouble = "not connected yet"
        self.failed: Exception | None = None
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, identifier, protocol=mqtt.MQTTv5)
        self._client.tls_set_context(tls(address))
        self._client.connect_timeout = CONNECT_S
        self._client.reconnect_delay_set(SOONEST_S, LATEST_S)
        # The option is of the socket, and each connection has a new one.
        self._client.on_socket_open = _at_once
        self._client.on_connect = self._connected
        self._client.on_connect_fail = self._not_reached
        self._client.on_disconnect = self._lost
        self._client.on_message = self._heard

    def begin(self) -> None:
        """Connect, in a thread of its own, and go on trying."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call] # of the library
        # The broker sends us nothing that is larger.
        properties.MaximumPacketSize = MOST_PACKET
        self._client.connect_async(
            self._address.host,
            self._address.port,
            KEEPALIVE_S,
            clean_start=True,
            properties=properties,
        )
        self._client.loop_start()

    def end(self) -> None:
        """Disconnect, and end the library's thread."""
        self._client.disconnect()
        self._client.loop_stop()

    @property
    def is_connected(self) -> bool:
        """Return whether there is a connection now."""
        return self._client.is_connected()

    def say(self, topic: str, payload: bytes, *, kept: bool = False) -> None:
        """Send, where there is a connection; ``kept`` has the broker keep it for whoever comes later."""
        self._client.publish(topic, payload, retain=kept)

    def listen(self, topics: frozenset[str]) -> None:
        """Listen to these topics and no others, now and after each new connection."""
        with self._lock:
            more, less, self._topics = topics - self._topics, self._topics - topics, topics
        # Without a connection nothing is asked for here: ``_connected`` asks for all of it.
        if self.is_connected:
            self._subscribe(more)
            if less:
                self._client.unsubscribe(sorted(less))

    # ------------------------------------------------------------ the client's thread

    def _subscribe(self, topics: frozenset[str]) -> None:
        if topics:
            self._client.subscribe([(topic, SubscribeOptions(qos=0)) for topic in sorted(topics)])

    def _connected(
        self, _client: object, _data: object, _flags: object, reason: ReasonCode, _more: object
    ) -> None:
        self.trouble = str(reason) if reason.is_failure else ""
        # A clean session has forgotten every topic: all are asked for anew.
        if not reason.is_failure:
            with self._lock:
                topics = self._topics
            self._subscribe(topics)

    def _not_reached(self, _client: object, _data: object) -> None:
        self.trouble = "it cannot be reached, or its certificate is not believed"

    def _lost(
        self, _client: object, _data: object, _flags: object, reason: ReasonCode, _more: object
    ) -> None:
        self.trouble = f"the connection was lost ({reason})"

    def _heard(self, _client: object, _data: object, message: mqtt.MQTTMessage) -> None:
        try:
            self._hear(message.topic, bytes(message.payload))
        except Exception as error:  # the library would end its thread and say nothing: who runs us looks here
            self.broke(error)

    def broke(self, error: Exception) -> None:
        """Keep what broke in the library's thread, for whoever runs this to raise."""
        self.failed = error


def _at_once(_client: object, _data: object, found: Any) -> None:  # noqa: ANN401 - the library's own union
    """Send small packets at once: each would wait for the receipt of the one before, 44 ms."""
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
