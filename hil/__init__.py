"""The rig: byte-level simulators of every device, and what proves a controller or a device against them."""
