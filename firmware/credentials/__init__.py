"""What the board keeps: its keys, the people and devices that were enrolled, where everything lies."""
