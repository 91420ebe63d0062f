"""The program's own processes, which are bounded and may die without harm."""
