#!/bin/sh
# systemd as the first process, with the units of the tree: systemd.sh MODULE [ARGUMENT...] runs that module as a unit of
# its own when the system is up. A machine that its hardware watchdog has reset says so and goes off.
tree=/opt/sabot/tree python=/opt/sabot/current/venv/bin/python
off() {
  sync; echo o > /proc/sysrq-trigger
  # No program can be read any more while the machine goes off.
  while :; do :; done
}
status=$(cat /sys/class/watchdog/watchdog0/bootstatus)
if [ "$status" -ne 0 ]; then
  read -r up _ < /proc/uptime
  verdict=fail; [ "$status" -eq 32 ] && verdict=ok
  echo "RIG-RESULT frozen-machine-reset $verdict $up $(cat /sys/class/watchdog/watchdog0/identity), bootstatus $status"
  off
fi
rm -f /.dockerenv /run/.containerenv
if ! { "$python" -m "$1" units "$tree" && systemd-sysusers /etc/sysusers.d/sabot.conf \
  && systemd-tmpfiles --create /etc/tmpfiles.d/sabot.conf; }; then
  echo "RIG the units of the tree could not be put in place"
  off
fi
units=/run/systemd/system; mkdir -p $units/sabot.service.d
# The tree of another machine has much that a start would tidy up, through a slow share.
for each in systemd-tmpfiles-setup systemd-tmpfiles-setup-dev systemd-sysusers systemd-update-utmp systemd-journal-flush \
  systemd-random-seed systemd-udev-settle; do ln -s /dev/null $units/$each.service; done
cat > $units/rig.target <<U
[Unit]
Requires=basic.target rig.service
After=basic.target
AllowIsolate=yes
U
# What ends before it has frozen the machine has failed: nobody waits for more.
cat > $units/rig.service <<U
[Unit]
FailureAction=poweroff-immediate
[Service]
Type=oneshot
WorkingDirectory=/run
Environment=PYTHONDONTWRITEBYTECODE=1 HOME=/root
ExecStart=$python -m $*
StandardOutput=journal+console
StandardError=journal+console
TimeoutStartSec=infinity
U
exec env -u container /lib/systemd/systemd --unit=rig.target --show-status=0
