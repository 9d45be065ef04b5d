"""The demo: a short shift of each chapter at a real table, and worked rounds as JSON beside it."""
