"""The players of the demo: people at a simulated table, and a script of what goes wrong there."""
