"""From photos to an observation: the stages in order, their thresholds, questions, trust and advice."""
