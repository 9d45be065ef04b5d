#!/bin/sh
# The second process of the machine: start.sh TREE VENV BASE WAY MODULE [ARGUMENT...]. Mounts what a system has, puts
# the tree and its Python where a board has them (a home is hidden from a unit), runs the module with that Python
# and switches off; where WAY is "systemd", systemd follows instead and starts the module when it is up.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
tree=$1 venv=$2 base=$3 way=$4; shift 4
mount -t tmpfs t /run; mkdir -p /dev/pts /dev/shm; mount -t devpts d /dev/pts; mount -t tmpfs t /dev/shm
mount -t configfs c /sys/kernel/config; mount -t tracefs t /sys/kernel/tracing
/bin/busybox ip link set lo up
read -r up _ < /proc/uptime; echo "RIG $up userland $(uname -r)"

at=/opt/sabot; mkdir -p $at/tree $at/python $at/current/venv
mount --bind "$tree" $at/tree; mount --bind "$base" $at/python; mount --bind "$venv" $at/current/venv
for each in "$at"/python/lib/libpython3*.so.*; do [ -e "$each" ] && ln -sf "$each" /usr/lib/; done
name=$(basename "$(readlink -f "$venv/bin/python")")
[ "$base" = /usr ] && home=/usr/bin || home=$at/python/bin
ln -sfn "$home/$name" $at/current/venv/bin/python
sed -i "s|^home = .*|home = $home|" $at/current/venv/pyvenv.cfg
# A console of lines has no colours, in which newer Pythons tell what went wrong.
export PYTHONDONTWRITEBYTECODE=1 PYTHON_COLORS=0

if [ "$way" = systemd ]; then exec "$at/tree/hil/kernel/guest/systemd.sh" "$@"; fi
/lib/systemd/systemd-udevd --daemon 2>/dev/null; udevadm settle
mkdir -p /run/rig; cd /run/rig || exit
$at/current/venv/bin/python -m "$@"
code=$?
read -r up _ < /proc/uptime; echo "RIG $up exit=$code"
sync; echo o > /proc/sysrq-trigger
# No program can be read any more while the machine goes off.
while :; do :; done
