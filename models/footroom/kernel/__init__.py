"""What compiled code shares: the tables it works on and the way it calls laws and policies.

Congestion controls and sharing policies are compiled on their own and reached through their address, so adding one
never recompiles the packet engine.
"""
