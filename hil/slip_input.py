"""The way the rig lets a program stumble, for whoever plays scenarios: a signal, a section, an exit code."""

import signal

NAME = "stumble"
SIGNAL = signal.SIGUSR1
# What a table file says of it.
SECTION = f'[device.{NAME}]\ndriver = "{NAME}"\n'
SLIPPED = 70  # the exit code on which a service manager starts the program again
