"""Footroom over HTTP: the API, what it stores and the jobs it runs."""
