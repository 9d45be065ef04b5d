"""Pictures of a table's life, drawn from the rows that the program itself runs by."""
