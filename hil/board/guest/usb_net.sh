# The way out of a machine that has only USB: a network adapter on it, and at the other end nothing but plugs, that of
# the lines and those of the pads, one for each time that they are put in. Shell and pads each get a connection of their
# own as nc's program does.
until [ -e /t/sys/class/net/usb0 ]; do /bin/busybox sleep 0.1; done
/bin/busybox ifconfig usb0 10.0.2.15 netmask 255.255.255.0 up
for port in 2 3 4; do /bin/busybox nc 10.0.2.100 $port -e /t/pads & done
exec /bin/busybox nc 10.0.2.100 1 -e /t/lines
