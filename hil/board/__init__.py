"""A table's devices outside an emulated board: on its USB, on its serial adapters, on lines of its kernel."""
