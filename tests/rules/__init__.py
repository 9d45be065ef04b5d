"""The `rules` package by paragraph of the law.

A test's name says chapter and paragraph: `test_641a_11c3i_...` holds 641a.11(c)(3)(i), `test_md_12c1_...` holds
chapter 12.C(1) of the Maryland document. `test_x_5b_...` holds the same paragraph of several chapters, each a
parameter. Expected values are typed in from the law; the chapters are asked for through the loader in each test.
"""
