"""ECN: which marking thresholds keep utilisation and queue within limits and stay stable.

import footroom as fr
fr.ecn(speed="100G", rtt="10 us", flows=16, buffer="2 MB", congestion="dcqcn").advice
"""
