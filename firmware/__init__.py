"""The program: the command line and later the device. The only package that wires the others."""
