"""What everything else builds on: units, lists of kinds, errors, random streams, time limits, compiled code on disk."""
