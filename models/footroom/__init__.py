"""Footroom."""
