"""``python -m footroom.cli``."""

import sys

from footroom.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
