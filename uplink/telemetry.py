"""Telemetry of a table for whoever has a system already: a Sparkplug node on a connection of its own.

It says and never takes: of commands only that everything be said again. Where a primary host is named nothing
is said while that host is away, and its coming begins with a birth. It is no part of the link: where its
broker is gone, nothing else is.
"""

import json
import threading
import time
from typing import NamedTuple

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from sabot.floor import table_state
from sabot.floor.broker import CONNECT_S, KEEPALIVE_S, LATEST_S, SOONEST_S, Address, tls
from sabot.floor.errors import FloorError
from sabot.uplink.sparkplug import NAMESPACE, Node, Said

# Of a host's word, which has some fifty bytes.
MOST_STATE = 4_096


class TelemetryTerms(NamedTuple):
    """The terms of telemetry: its broker, node and group, the host it waits for (empty: none), and how."""

    broker: Address
    group: str
    node: str
    host: str = ""
    aliases: bool = True


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


class Telemetry:
    """The node and its connection; the library's thread calls back, the carrier's brings states."""

    def __init__(self, terms: TelemetryTerms) -> None:
        self._terms, self.node = terms, Node(terms.group, terms.node, _milliseconds, aliases=terms.aliases)
        self._lock = threading.Lock()
        self._is_host_there = not terms.host
        self._host_at = 0
        self.failed: Exception | None = None
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2, f"{terms.group}-{terms.node}", protocol=mqtt.MQTTv5
        )
        self._client.tls_set_context(tls(terms.broker))
        self._client.connect_timeout = CONNECT_S
        self._client.reconnect_delay_set(SOONEST_S, LATEST_S)
        self._client.on_pre_connect = self._begin
        self._client.on_connect = self._connected
        self._client.on_message = self._heard

    def begin(self) -> None:
        """Connect, and go on trying."""
        broker = self._terms.broker
        self._client.connect_async(broker.host, broker.port, KEEPALIVE_S, clean_start=True)
        self._client.loop_start()

    def end(self) -> None:
        """Say the death and leave: an orderly leave keeps the will back."""
        with self._lock:
            if self.node.is_born:
                self._say([self.node.death()])
        self._client.disconnect()
        self._client.loop_stop()

    def hear(self, raw: bytes) -> None:
        """Take a state that the table said, and say what it changes; the first one brings the birth."""
        try:
            state, _, _ = table_state.read_state(raw)
        except FloorError:
            return
        with self._lock:
            first = not self.node.is_born
            self._say(self.node.hear(state))
            if first and self._may_speak():
                self._say(self.node.birth())

    def _may_speak(self) -> bool:
        return self._is_host_there and self._client.is_connected()

    def _say(self, said: list[Said]) -> None:
        for topic, payload in said:
            self._client.publish(topic, payload, qos=0)

    # ------------------------------------------------------------ the client's thread

    def _begin(self, client: mqtt.Client, _data: object) -> None:
        with self._lock:
            topic, payload = self.node.begin()
        # Before each connection anew: will and birth carry the number of the session, which rises with it.
        client.will_set(topic, payload, qos=1)

    def _connected(
        self, client: mqtt.Client, _data: object, _flags: object, reason: ReasonCode, _more: object
    ) -> None:
        if reason.is_failure:
            return
        # Not known over a new connection; its retained word comes with the subscription.
        self._is_host_there = not self._terms.host
        topics = [(self.node.topic("NCMD"), 1), (f"{self.node.topic('DCMD')}/+", 1)]
        if self._terms.host:
            topics.append((f"{NAMESPACE}/STATE/{self._terms.host}", 1))
        client.subscribe(topics)
        with self._lock:
            if self._is_host_there:
                self._say(self.node.birth())

    def _heard(self, _client: object, _data: object, message: mqtt.MQTTMessage) -> None:
        try:
            with self._lock:
                if message.topic.startswith(f"{NAMESPACE}/STATE/"):
                    self._host_is(bytes(message.payload))
                elif self.node.is_born:
                    self._say(self.node.command(bytes(message.payload)))
        except Exception as error:  # the library would end its thread and say nothing
            self.failed = error

    def _host_is(self, payload: bytes) -> None:
        """Note whether the primary host is there; a word older than the newest known counts no more."""
        try:
            said = json.loads(payload[:MOST_STATE])
            is_there, at = bool(said["online"]), int(said["timestamp"])
        # Whoever may publish there can send what is no time, or what no parser has room for.
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return
        # A host that went and came again: its old death may arrive after its new birth.
        if at < self._host_at:
            return
        self._host_at = at
        if is_there and not self._is_host_there:
            self._say(self.node.birth())
        elif not is_there and self.node.is_born:
            self._say([self.node.death()])
        self._is_host_there = is_there
