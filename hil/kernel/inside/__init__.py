"""What runs inside the machine: checks, each of which ends in a line on the console."""
