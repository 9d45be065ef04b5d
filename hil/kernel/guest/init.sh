#!/bin/sh
# The first process of the machine: loads the modules and makes the host's files its own, to read; what is written
# goes to memory. Kernel arguments: rig.run=PROGRAM,ARGUMENT,... is what follows.
B=/bin/busybox
$B mount -t proc p /proc; $B mount -t sysfs s /sys; $B mount -t devtmpfs d /dev
say() { read -r up _ < /proc/uptime; echo "RIG $up $*"; }
say initramfs
while read -r module told; do
  # shellcheck disable=SC2086
  $B insmod "/m/$module" $told 2>/.error || say "module $module: $($B cat /.error)"
done < /m/order
for word in $($B cat /proc/cmdline); do case $word in rig.run=*) run=${word#*=};; esac; done
$B mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro hostroot /ro || exec $B sh
$B mount -t tmpfs t /rw; $B mkdir /rw/u /rw/w
$B mount -t overlay -o lowerdir=/ro,upperdir=/rw/u,workdir=/rw/w o /new
say modules
for d in proc sys dev; do $B mkdir -p "/new/$d"; $B mount --move "/$d" "/new/$d"; done
IFS=,
# shellcheck disable=SC2086
set -- $run
exec $B switch_root /new "$@"
