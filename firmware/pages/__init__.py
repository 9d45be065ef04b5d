"""Words and pages for people that several rooms show: the console, the commands, the sign and the demo."""
