"""The checks that run inside the machine; each ends in a line on the console."""
