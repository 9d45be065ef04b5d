"""The journal, on real files."""
