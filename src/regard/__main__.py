"""`python -m regard` is `regard`: the door of the command line."""

import signal
import sys

from regard.process import settle


def main() -> None:
    """Ctrl-C is quiet from the first moment on, also while the commands are still being imported."""
    signal.signal(signal.SIGINT, lambda *_: sys.exit(130))
    settle()
    from regard.cli.main import run

    run()


if __name__ == "__main__":
    main()
