"""The conformance kit: a device under test through the page of its convention, by itself, without a table."""
