"""The protocol of antecede-ipc, spoken from Python: frames over a Unix SOCK_SEQPACKET socket.

The layout of the frames is that of `crates/antecede-ipc/src/wire/mod.rs`. Nothing but the standard library is needed, and
nothing here knows of a device: what an offer names is mapped by one of the modules `device_*.py`.

A peer that speaks through this module says that it is not the Rust library, and is let in by the `unsafe` calls
`accept_foreign`, `add_foreign`, `connect_foreign` and `over_foreign` alone: nothing holds Python to the rules. They are

 - for an importer: wait for the event of an offer, if it has one, on each stream that uses the memory; write only what
   is offered READ_WRITE; send `release` only when all work on the memory is over and so is its free, `decline` only for
   what was never mapped; let no other process in;
 - for an exporter: tell the truth of the memory; have nothing in flight on it, or send an event recorded after all of
   it; do not write, free or reuse the memory before the receipt, nor read it if it is offered READ_WRITE; offer it
   READ_WRITE to one importer alone; record the event again, or destroy it, only after the receipt.
"""

import array
import os
import secrets
import socket
import struct
from dataclasses import dataclass, replace

MAGIC, VERSION = b"AnIp", 1
HELLO, WELCOME, READY, REFUSED, OFFER, RECEIPT = range(1, 7)
NAMES = {HELLO: "Hello", WELCOME: "Welcome", READY: "Ready", REFUSED: "Refused", OFFER: "Offer", RECEIPT: "Receipt"}

READ_ONLY, READ_WRITE = 1, 2
RELEASED, DECLINED = 1, 2

HEADER = struct.Struct("<4sHBxI4x")
BODIES = {
    HELLO: struct.Struct("<16s16sB7x"),
    WELCOME: struct.Struct("<16s16sB7x"),
    READY: struct.Struct("<16s"),
    REFUSED: struct.Struct("<H6x16s16s"),
    OFFER: struct.Struct("<16sBBBxII4xQQ16s16s64s64s64s"),
    RECEIPT: struct.Struct("<16sB7x"),
}
MAX_FRAME = 512
FOREIGN = 1
HAS_EVENT, HAS_POOL = 1, 2
REASONS = {1: "another protocol version", 2: "another device", 3: "not this library", 4: "another nonce",
           5: "a frame that has no place there"}


class WireError(Exception):
    """A message that is no frame of this protocol, or has no place there."""


class Refused(Exception):
    """The peer has ended the connection before it began. `expected` and `found` are its own view."""

    def __init__(self, code, expected, found):
        reason = REASONS.get(code, f"code {code}")
        super().__init__(f"the peer refused: {reason} (expected {expected.hex()}, found {found.hex()})")
        self.code, self.expected, self.found = code, expected, found


@dataclass(frozen=True)
class Offer:
    """A buffer of the exporter's. Sizes are in bytes."""

    access: int
    element: str
    element_size: int
    alignment: int
    length: int
    """Elements."""
    device: bytes
    """UUID, 16 bytes."""
    pool: bytes
    """The exporter's number for its pool, 16 bytes: the descriptor comes once for each pool of a connection."""
    pointer: bytes
    """`CUmemPoolPtrExportData`, 64 bytes."""
    event: bytes | None
    """`CUipcEventHandle`, 64 bytes, if there is something to wait for."""
    export: bytes = b""
    """What the receipt names, 16 random bytes; `Exporter.offer` chooses it."""

    @property
    def nbytes(self):
        return self.element_size * self.length

    def pack(self, with_pool):
        name = self.element.encode()
        flags = (HAS_EVENT if self.event is not None else 0) | (HAS_POOL if with_pool else 0)
        return frame(OFFER, self.export, self.access, flags, len(name), self.element_size, self.alignment, self.length, 0,
                     self.device, self.pool, self.pointer, self.event or bytes(64), name)

    @classmethod
    def unpack(cls, fields):
        """Returns the offer, and whether its pool's descriptor is attached."""
        (export, access, flags, name_length, size, alignment, length, offset, device, pool, pointer, event, name) = fields
        if access not in (READ_ONLY, READ_WRITE) or flags & ~(HAS_EVENT | HAS_POOL) or offset != 0:
            raise WireError(f"an offer with access {access}, flags {flags:#x}, offset {offset}")
        if not 1 <= name_length <= len(name) or any(name[name_length:]):
            raise WireError(f"an element's name of {name_length} bytes")
        if alignment == 0 or alignment & (alignment - 1) or size == 0 or size % alignment:
            raise WireError(f"elements of {size} bytes aligned to {alignment}")
        if not 1 <= size * length < 1 << 63:
            raise WireError(f"{length} elements of {size} bytes")
        if not flags & HAS_EVENT and any(event):
            raise WireError("an event without its flag")
        try:
            element = name[:name_length].decode()
        except UnicodeDecodeError as error:
            raise WireError(f"the element's name is not UTF-8: {error}") from error
        event = event if flags & HAS_EVENT else None
        offer = cls(access, element, size, alignment, length, device, pool, pointer, event, export)
        return offer, bool(flags & HAS_POOL)


class Connection:
    """One end of a connection. Closed by `close`, or at the end of a `with` block."""

    def __init__(self, sock, device, time_limit):
        if sock.family != socket.AF_UNIX or sock.type != socket.SOCK_SEQPACKET:
            raise WireError("the socket is not a Unix SOCK_SEQPACKET socket")
        sock.settimeout(time_limit)
        self.sock, self.device = sock, device

    def send(self, data, descriptor=None):
        control = [] if descriptor is None else [
            (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
        if self.sock.sendmsg([data], control, socket.MSG_NOSIGNAL) != len(data):
            raise WireError("a frame was cut")

    def receive(self, *expected):
        """The next frame: its kind, its fields, and the descriptor that came with it (the caller's to close), or `None`.
        Returns `None` at the end of the connection."""
        # For some descriptors, and the sender's credentials, which come along if the socket asks for them.
        space = socket.CMSG_SPACE(4 * array.array("i").itemsize) + 2 * socket.CMSG_SPACE(12)
        try:
            data, control, flags, _ = self.sock.recvmsg(MAX_FRAME, space, socket.MSG_CMSG_CLOEXEC)
        except ConnectionResetError:
            # The peer has closed with something unread. It is said once, before what it had sent.
            data, control, flags, _ = self.sock.recvmsg(MAX_FRAME, space, socket.MSG_CMSG_CLOEXEC)
        descriptors = array.array("i")
        for level, kind, content in control:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                descriptors.frombytes(content[: len(content) // descriptors.itemsize * descriptors.itemsize])
        try:
            if not data and not control:
                return None
            if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
                raise WireError("a message that is too long, or with too many descriptors")
            kind, fields = parse(data)
            if kind == REFUSED:
                raise Refused(*fields)
            if kind not in expected:
                wanted = " or ".join(NAMES[kind] for kind in expected)
                raise WireError(f"the frame {NAMES[kind]}, expected {wanted}")
            attached = kind == OFFER and bool(fields[2] & HAS_POOL)
            if len(descriptors) != attached:
                raise WireError(f"{len(descriptors)} descriptors with the frame {NAMES[kind]}")
            return kind, fields, descriptors.pop() if attached else None
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def expect(self, kind):
        received = self.receive(kind)
        if received is None:
            raise WireError(f"the connection has ended, expected the frame {NAMES[kind]}")
        return received[1]

    def refuse(self, code, expected, found):
        self.send(frame(REFUSED, code, expected, found))
        raise WireError(f"refused the peer: {REASONS[code]} (expected {expected.hex()}, found {found.hex()})")

    def close(self):
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Importer(Connection):
    """The side that maps the other's memory. `device` is the device's UUID, 16 bytes."""

    def __init__(self, sock, device, time_limit=10.0):
        super().__init__(sock, device, time_limit)
        self.send(frame(HELLO, device, secrets.token_bytes(16), FOREIGN))
        theirs, nonce, _ = self.expect(WELCOME)
        if theirs != device:
            self.refuse(2, device, theirs)
        self.send(frame(READY, nonce))

    @classmethod
    def connect(cls, path, device, time_limit=10.0):
        """Connects to the exporter that listens at `path`."""
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC)
        sock.settimeout(time_limit)
        sock.connect(os.fspath(path))
        return cls(sock, device, time_limit)

    def next(self):
        """The next offer, and its pool's descriptor (the caller's to close) if this is the first time that the pool is
        named. `None` when the exporter has ended the connection."""
        received = self.receive(OFFER)
        if received is None:
            return None
        _, fields, descriptor = received
        try:
            return Offer.unpack(fields)[0], descriptor
        except WireError:
            if descriptor is not None:
                os.close(descriptor)
            raise

    def release(self, offer):
        """Says that the memory is let go: all work on it is over, and its free has taken effect."""
        self.send(frame(RECEIPT, offer.export, RELEASED))

    def decline(self, offer):
        """Says that the memory was never mapped."""
        self.send(frame(RECEIPT, offer.export, DECLINED))


class Exporter(Connection):
    """The side whose memory it is, with one importer. `device` is the device's UUID, 16 bytes."""

    def __init__(self, sock, device, time_limit=10.0):
        super().__init__(sock, device, time_limit)
        self.pools = set()
        theirs, _, _ = self.expect(HELLO)
        if theirs != device:
            self.refuse(2, device, theirs)
        nonce = secrets.token_bytes(16)
        self.send(frame(WELCOME, device, nonce, FOREIGN))
        (answer,) = self.expect(READY)
        if answer != nonce:
            self.refuse(4, bytes(16), bytes(16))

    @classmethod
    def listen(cls, path, device, time_limit=10.0):
        """Waits for an importer of this user at `path`, where nothing may be yet."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC) as listener:
            listener.settimeout(time_limit)
            mask = os.umask(0o177)
            try:
                listener.bind(os.fspath(path))
            finally:
                os.umask(mask)
            try:
                listener.listen(1)
                sock, _ = listener.accept()
            finally:
                os.unlink(path)
        return cls(sock, device, time_limit)

    def offer(self, offer, pool_descriptor):
        """Offers a buffer, with the descriptor of its pool if the importer does not have it yet. Returns the offer as it
        was sent."""
        offer = replace(offer, export=secrets.token_bytes(16))
        attach = offer.pool not in self.pools
        self.send(offer.pack(attach), pool_descriptor if attach else None)
        self.pools.add(offer.pool)
        return offer

    def receipt(self, offer):
        """Waits for the receipt: whether the importer has released the memory (it may also have declined it). Until then
        the memory is the importer's."""
        export, how = self.expect(RECEIPT)
        if export != offer.export or how not in (RELEASED, DECLINED):
            raise WireError(f"a receipt of kind {how} for {export.hex()}, expected one for {offer.export.hex()}")
        return how == RELEASED


def frame(kind, *fields):
    """The bytes of a frame."""
    body = BODIES[kind].pack(*fields)
    return HEADER.pack(MAGIC, VERSION, kind, HEADER.size + len(body)) + body


def parse(data):
    """The kind and the fields of a frame's bytes."""
    if len(data) < HEADER.size:
        raise WireError(f"a message of {len(data)} bytes")
    magic, version, kind, length = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise WireError(f"a message that begins with {magic!r}")
    if version != VERSION and kind != REFUSED:
        raise WireError(f"a frame of protocol version {version}, expected {VERSION}")
    body = BODIES.get(kind)
    if body is None or length != len(data) or length != HEADER.size + body.size:
        raise WireError(f"a frame of kind {kind} and {len(data)} bytes, its header says {length}")
    fields = body.unpack_from(data, HEADER.size)
    # What has no meaning is zero: packed again, the frame is the same.
    if HEADER.pack(magic, version, kind, length) + body.pack(*fields) != data:
        raise WireError("a reserved byte is not zero")
    return kind, fields
