"""The commands of the console, a module for each thing they are about."""
