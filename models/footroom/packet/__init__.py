"""Packet: the compiled simulator."""
