"""Commands and pages for a desk: the law, odds, signs, drawings, reports of a journal, the demo."""
