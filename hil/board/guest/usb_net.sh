# The way out of a machine that has only USB: a network adapter on it, and at the other end nothing but two plugs, that
# of the lines and that of the pads. Shell and pads each get a connection of their own as nc's program does.
until [ -e /t/sys/class/net/usb0 ]; do /bin/busybox sleep 0.1; done
/bin/busybox ifconfig usb0 10.0.2.15 netmask 255.255.255.0 up
/bin/busybox nc 10.0.2.100 2 -e /t/pads &
exec /bin/busybox nc 10.0.2.100 1 -e /t/lines
