"""The drivers: they turn bytes, reports and edges into events, and effects into orders for a device."""
