#!/usr/bin/env python3
"""Python fills, Rust maps: offers a buffer, waits until it has been let go, and verifies what came back.

Started by `antecede-demo ipc --python-export SCRIPT`, with one end of the connection as standard input; or by hand, with
a path to listen at: the importer has to connect by the `unsafe` call `connect_foreign`.
"""

import argparse
import os
import socket
import sys

import antecede_wire as wire
import pattern
from devices import WAYS, open_device


TIME_LIMIT = 60.0
"""Seconds that each wait for the other process may take."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=("auto", *WAYS), default="auto", help="how to reach the device")
    parser.add_argument("--listen", metavar="PATH", help="where the importer will connect, if not at standard input")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--bytes", type=int, default=1 << 20, help="a multiple of 4")
    parser.add_argument("--ready", choices=("sync", "event", "both"), default="both",
                        help="finish before the offer, or send an event; `both`: in turn")
    arguments = parser.parse_args()

    device = open_device(arguments.by)
    # An importer that comes now is answered at once.
    print("ready", flush=True)
    if arguments.listen:
        exporter = wire.Exporter.listen(arguments.listen, device.uuid, TIME_LIMIT)
    else:
        exporter = wire.Exporter(socket.socket(fileno=os.dup(0)), device.uuid, TIME_LIMIT)
    block = device.allocate(arguments.bytes)
    with exporter:
        for round_number in range(arguments.rounds):
            by_event = arguments.ready == "event" or arguments.ready == "both" and round_number % 2 == 1
            # The last is for reading only.
            access = wire.READ_ONLY if round_number == arguments.rounds - 1 else wire.READ_WRITE
            lend(exporter, device, block, arguments.bytes, round_number, access, by_event)
    # Not on a failure above: what may be mapped elsewhere is freed by nobody here.
    block.free()
    sys.stderr.write(f"verified {arguments.rounds} buffers by {device}\n")


def lend(exporter, device, block, nbytes, round_number, access, by_event):
    """One round."""
    length = nbytes // 4
    block.write(pattern.pattern(length, pattern.written(round_number)))
    if by_event:
        event = block.record()
    else:
        block.finish()
        event = None
    offer = wire.Offer(access, "u32", 4, 4, length, device.uuid, block.pool, block.pointer, event)
    # From here to the receipt the memory is the importer's.
    offer = exporter.offer(offer, block.descriptor)
    if not exporter.receipt(offer):
        raise AssertionError(f"round {round_number}: the importer has declined the buffer")
    seed = pattern.answered if access == wire.READ_WRITE else pattern.written
    pattern.check(block.read(), seed(round_number), f"round {round_number}")


if __name__ == "__main__":
    main()
