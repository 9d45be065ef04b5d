#!/bin/sh
# Called by RAUC before it writes: an older version than the one that runs is refused, whoever asks for it.
version_of() { sed -n 's/^version=//p' "$1"; }
exec /opt/sabot/current/venv/bin/python -I -m sabot.firmware.update.version "$(version_of /run/sabot-slot/slot.conf)" "$RAUC_BUNDLE_MOUNT_POINT"
