"""The bench: a controller with its own power and its own serial console, driven by labgrid."""
