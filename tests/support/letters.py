"""Letters for Hypothesis's texts. To choose from all of Unicode it first makes tables of it, 3 s in a process."""

LETTERS = "".join(map(chr, range(0x180))) + "ſǅΣςẞﬁ٣𝟛中가ア€…″👍🏽\u0301\u200b\u200d\u200f\u2028\u2029\u202e\u2066"
LETTERS += "\u3000\ud7ff\ue000\ufeff\ufffd\uffff\U0010ffff"
"""Two alphabets and all controls; cases that don't come back, digits, wide ones, marks, line ends, ends of planes."""
