"""Switch configuration from a scenario, and back: what a vendor's switch is told, and what it was told.

import footroom as fr
fr.export("sonic", ports="32x100G@40m", asic="tomahawk").write("out")
"""
