"""The demo: a short shift of each chapter by the running program, and worked rounds as JSON beside it."""
