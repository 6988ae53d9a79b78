"""The headroom of one link by every scheme, with the chip's shipped table beside it where there is one.

import footroom as fr
fr.headroom(speed="100G", cable="300 m").schemes["sih"]["headroom"]
"""
