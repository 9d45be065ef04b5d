"""The looks of a picture of the desk, and its writing: fonts and their widths, colours, and SVG."""
