"""The program of the device: one loop that wires drivers, table and journal."""
