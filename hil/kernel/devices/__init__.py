"""Devices that the kernel believes in: lines, a USB device, serial ports; for use in the machine, as root."""
