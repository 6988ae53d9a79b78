"""Switch configuration from a scenario, and back, in each vendor's own format.

import footroom as fr
fr.export("sonic", ports="32x100G@40m", asic="tomahawk").write("out")
"""
