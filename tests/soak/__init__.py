"""A million random rounds, and what must hold in each."""
