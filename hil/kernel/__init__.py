"""A rig of real kernel devices, in a virtual machine: the program with the libraries it has on a board."""
