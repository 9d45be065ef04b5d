"""Simulators: each speaks the bytes of its device, written from the page and never from the codec."""
