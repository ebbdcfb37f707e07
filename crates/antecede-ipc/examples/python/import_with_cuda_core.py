#!/usr/bin/env python3
"""Rust fills, Python maps: verifies each buffer that is offered, writes an answer into it if it may, and lets it go.

Started by `antecede-demo ipc --python-import SCRIPT`, with one end of the connection as standard input; or by hand, with
the path that an exporter listens at: it has to let it in by the `unsafe` call `accept_foreign`.
"""

import argparse
import os
import socket
import sys

import antecede_wire as wire
import pattern
from devices import WAYS, open_device


TIME_LIMIT = 60.0
"""Seconds that each wait for the other process may take: others may have to start."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=("auto", *WAYS), default="auto", help="how to reach the device")
    parser.add_argument("--connect", metavar="PATH", help="where the exporter listens, if not at standard input")
    parser.add_argument("--decline", action="store_true", help="map nothing, and decline every offer")
    arguments = parser.parse_args()

    device = open_device(arguments.by)
    if arguments.connect:
        importer = wire.Importer.connect(arguments.connect, device.uuid, TIME_LIMIT)
    else:
        importer = wire.Importer(socket.socket(fileno=os.dup(0)), device.uuid, TIME_LIMIT)
    pools, rounds = {}, 0
    with importer:
        while (received := importer.next()) is not None:
            offer, descriptor = received
            if descriptor is not None:
                if not arguments.decline:
                    pools[offer.pool] = device.open_pool(descriptor)
                os.close(descriptor)
            if arguments.decline:
                importer.decline(offer)
            else:
                use(device.map(pools[offer.pool], offer), offer, rounds)
                importer.release(offer)
            rounds += 1
    # In one piece: there may be several that say it at once.
    sys.stderr.write(f"{'declined' if arguments.decline else 'verified'} {rounds} buffers by {device}\n")


def use(mapping, offer, round_number):
    """Verifies, answers, and lets go. What is mapped is let go also when a word is wrong."""
    try:
        if (offer.element, offer.element_size) != ("u32", 4):
            raise AssertionError(f"elements {offer.element} of {offer.element_size} bytes, expected u32")
        pattern.check(mapping.read(), pattern.written(round_number), f"round {round_number}")
        if offer.access == wire.READ_WRITE:
            mapping.write(pattern.pattern(offer.length, pattern.answered(round_number)))
    finally:
        mapping.unmap()


if __name__ == "__main__":
    main()
