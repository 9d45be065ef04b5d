"""The table, by paragraph and by chance."""
