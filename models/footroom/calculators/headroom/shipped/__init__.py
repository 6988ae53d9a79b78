"""How well each chip's default form of the headroom formula gives the rows of its shipped table."""
