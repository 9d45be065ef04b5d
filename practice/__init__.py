"""The practice table: sit down at a simulated table in a browser, and deal. NOT FOR PLAY."""
