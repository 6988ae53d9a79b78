"""``python -m footroom.calculators.headroom.shipped``: shipped rows that a chip's default answer gives to the byte."""

from __future__ import annotations

import json
import sys

from footroom.calculators.headroom.shipped.reproduction import reproduction

_HEAD = (
    f"{'chip':<16}{'scheme':<8}{'rows':>5}{'to the byte':>13}{'model named':>13}{'within 1 %':>12}{'worst':>9}"
    "  form, or whose law"
)


def main(arguments: list[str]) -> int:
    """Print the table, or JSON with ``--json``; returns the exit status."""
    found = reproduction()
    if arguments == ["--json"]:
        sys.stdout.write(json.dumps([one.to_dict() for one in found], indent=1) + "\n")
        return 0
    if arguments:
        sys.stderr.write(f"{arguments[0]}: the only option is --json\n")
        return 2
    sys.stdout.write(_HEAD + "\n")
    for one in found:
        named = "" if one.named is None else one.named
        sys.stdout.write(
            f"{one.asic:<16}{one.scheme:<8}{one.rows:>5}{one.exact:>13}{named:>13}{one.close:>12}"
            f"{100 * one.worst:>8.1f}%  {one.how}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
