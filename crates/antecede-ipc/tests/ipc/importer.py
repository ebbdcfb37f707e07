"""An importer in another language, from the tables in the documentation of `wire` alone."""

import os
import socket
import struct
import sys

HEADER, HELLO, WELCOME, READY = "<4sHBxI4x", "<16s16sB7x", "<16s16sB7x", "<16s"
OFFER, RECEIPT = "<16sBBBxII4xQQ16s16s64s64s64s", "<16sB7x"

end = socket.socket(fileno=int(sys.argv[1]))
assert (end.family, end.type) == (socket.AF_UNIX, socket.SOCK_SEQPACKET)
end.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)


def send(kind, layout, *fields):
    length = struct.calcsize(HEADER) + struct.calcsize(layout)
    end.sendall(struct.pack(HEADER, b"AnIp", 1, kind, length) + struct.pack(layout, *fields))


def receive(kind, layout):
    message, control, flags, _ = end.recvmsg(512, 1024)
    assert flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC) == 0
    if message[6] == 4:
        sys.exit(100 + struct.unpack_from("<H", message, 16)[0])
    assert struct.unpack_from(HEADER, message) == (b"AnIp", 1, kind, len(message))
    descriptors = [
        number
        for level, what, data in control
        if (level, what) == (socket.SOL_SOCKET, socket.SCM_RIGHTS)
        for number in struct.unpack(f"{len(data) // 4}i", data)
    ]
    return struct.unpack_from(layout, message, 16), descriptors


device = b"0123456789abcdef"
send(1, HELLO, device, os.urandom(16), 1)
(their_device, nonce, their_flags), descriptors = receive(2, WELCOME)
assert (their_device, their_flags, descriptors) == (device, 0, [])
send(3, READY, nonce)

fields, descriptors = receive(5, OFFER)
export, access, flags, name_length, size, alignment, length, offset, where, pool, pointer, event, name = fields
assert (access, flags, size, alignment, length, offset, where) == (2, 3, 4, 4, 1000, 0, device)
assert name[:name_length].decode() == "f32" and not any(name[name_length:])
assert (pool[:2], pointer, event) == (b"\x12\x11", b"\xaa" * 64, b"\xbb" * 64)
assert [os.pread(descriptor, 100, 0) for descriptor in descriptors] == [b"the pool"]
send(6, RECEIPT, export, 1)
