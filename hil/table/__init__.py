"""A whole table of simulated devices in a process of its own, moved and read over one control socket."""
