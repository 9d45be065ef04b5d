"""The program: command line, and later the device itself. The only package that does I/O and wires the others."""
