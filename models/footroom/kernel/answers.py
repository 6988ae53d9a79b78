"""Return values of a headroom's hooks. Plain numbers, so that reading a scenario needs no NumPy."""

#: Number of the pause of a whole port, after those of its classes.
WHOLE = 8

#: What the hook ``place`` answers, added up: the packet is charged to headroom; its group asks for a pause once it is
#: charged; its port does as a whole. REFUSED is for the engine: the packet is not admitted.
HEADROOM, PAUSE_GROUP, PAUSE_PORT, REFUSED = 1, 2, 4, 8

#: What the hook ``resume`` answers where the pause may end now.
RESUMES = 2**62
