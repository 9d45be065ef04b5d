"""A board that starts from an image: two slots, and settings that anybody may have written."""
