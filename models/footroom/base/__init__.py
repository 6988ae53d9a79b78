"""What everything else stands on: units, lists of kinds, errors, random streams, time limits, compiled code on disk."""
