"""How a picture of the desk looks and is written: fonts and their widths, colours, and SVG."""
