"""Worked rounds that show what each chapter asks, as JSON beside this file."""
