"""The parts a scenario is made of: one package per axis, one file per kind, one registry line in each ``__init__``."""
