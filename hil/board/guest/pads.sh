#!/bin/busybox sh
# The kernel gets this connection as the cable of a USB device, as soon as the device says that it is there.
read -r words && echo "$words" > /t/sys/devices/platform/vhci_hcd.0/attach
