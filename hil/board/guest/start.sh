#!/bin/busybox sh
# Before the board's own start, on an emulated one only: the modules that a trial lays beside the system, and then the
# way out on which contacts are moved. It goes on beside the system, with file systems of its own and no program but
# the shell's own words.
/bin/busybox mkdir -p /t/proc /t/sys /t/config /t/trace /dev
/bin/busybox mount -t proc p /t/proc
/bin/busybox mount -t sysfs s /t/sys
/bin/busybox mount -t devtmpfs d /dev
/bin/busybox mount -t tracefs t /t/trace
while read -r name; do /bin/busybox insmod "/t/$name.ko"; done < /t/order
/bin/busybox mount -t configfs c /t/config
. /t/way
