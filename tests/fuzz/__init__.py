"""What is thrown at the codecs."""
