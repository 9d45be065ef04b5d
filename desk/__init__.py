"""What people run at a desk: pages of the law, odds, signs, drawings, reports of a journal, the demo."""
