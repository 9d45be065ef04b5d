"""What a technician needs of devices without a table: lists, a line analyser, tests, raw orders."""
