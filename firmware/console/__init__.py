"""The console: how a technician asks the running program, and people with a role order something of it."""
