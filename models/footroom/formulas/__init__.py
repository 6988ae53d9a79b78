"""Closed forms that both scenarios and calculators evaluate: headroom of a link, one transfer over a path."""
