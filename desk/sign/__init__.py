"""The posted payout sign: from a chapter and a submission to a sheet of paper.

``content`` says what the sign must say, ``layout`` where each word stands, and three thin renderers draw the
same elements: SVG by hand, PDF through reportlab, PNG from that PDF.
"""
