"""The tests; a package so that one folder's tests may lean on another's model."""
