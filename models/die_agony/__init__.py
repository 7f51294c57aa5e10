"""Die Agony: roll a die of unknown faces across a grid so that the score follows the cells."""
