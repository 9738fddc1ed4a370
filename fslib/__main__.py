"""The command ``fslib``, also as ``python -m fslib``."""

import sys

from fslib.interrupts import STOPPED, leave_from_now_on, leaving_at_once, say_interrupted


def main():
    """Run the command of this process and return its exit code; Ctrl-C ends it with one line and 130 at any time."""
    try:
        with leaving_at_once():
            from fslib.reproduction import cli
        code = cli.main()
        leave_from_now_on()
    except KeyboardInterrupt:  # in the few instructions between those that expect it
        say_interrupted()
        return STOPPED
    return code


if __name__ == "__main__":
    sys.exit(main())
