"""Evidence: one round or one fault as a signed pack, and the check of a pack."""
