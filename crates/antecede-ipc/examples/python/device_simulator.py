"""On the simulator of `antecede-sim`, whose pools are files of memory: the same exchange on a machine without a GPU.

There are no streams here, so nothing is ever in flight, and no events: an offer that has one cannot be mapped.
"""

import fcntl
import mmap
import os
import struct

HEADER = 4096
FILE = struct.Struct("<8s16sQ")
"""At the beginning of a pool: `ante-mem`, 16 random bytes, ordinal of the device."""
POINTER = struct.Struct("<8s16sQQ16xQ")
"""`ante-ptr`, the pool's 16 bytes, offset in the file, bytes, a sum of all that."""
SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


class Simulator:
    """The first device of every simulator."""

    uuid = b"antecede-sim" + bytes(4)

    def __str__(self):
        return "the simulator's files"

    def open_pool(self, descriptor):
        return Pool(os.dup(descriptor))

    def map(self, pool, offer):
        if offer.event is not None:
            raise RuntimeError("events of the simulator cannot be waited for here: offer what is finished")
        mark, number, offset, nbytes, total = POINTER.unpack(offer.pointer)
        if (mark, number) != (b"ante-ptr", pool.number) or total != checksum(offer.pointer[:-8]):
            raise RuntimeError("the pointer's data are not of an allocation in that pool")
        if nbytes < offer.nbytes:
            raise RuntimeError(f"the allocation has {nbytes} bytes, and {offer.nbytes} are offered")
        return Block(pool.memory, offset, offer.nbytes)

    def allocate(self, nbytes):
        descriptor = os.memfd_create("antecede-sim-pool", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.truncate(descriptor, HEADER + nbytes)
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, SEALS)
        os.pwrite(descriptor, FILE.pack(b"ante-mem", os.urandom(16), 0), 0)
        return Exported(Pool(descriptor), HEADER, nbytes)


class Pool:
    """A file of memory, mapped. Has the descriptor from now on."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.memory = mmap.mmap(descriptor, os.fstat(descriptor).st_size)
        mark, self.number, _ = FILE.unpack_from(self.memory)
        if mark != b"ante-mem":
            raise RuntimeError("the descriptor is of no pool of the simulator's")


class Block:
    """Memory of another process."""

    def __init__(self, memory, offset, nbytes):
        self.memory, self.place = memory, slice(offset, offset + nbytes)

    def read(self):
        return self.memory[self.place]

    def write(self, data):
        self.memory[self.place] = data

    def finish(self):
        pass

    def unmap(self):
        pass


class Exported(Block):
    """Memory that other processes can map."""

    def __init__(self, pool, offset, nbytes):
        super().__init__(pool.memory, offset, nbytes)
        self.pool, self.descriptor = pool.number, pool.descriptor
        words = POINTER.pack(b"ante-ptr", pool.number, offset, nbytes, 0)[:-8]
        self.pointer = words + struct.pack("<Q", checksum(words))

    def record(self):
        raise RuntimeError("there are no events of the simulator here: `--ready sync`")

    def free(self):
        os.close(self.descriptor)


def checksum(words):
    """Of 56 bytes, and 8 that count as zero."""
    total = 0
    for (word,) in struct.iter_unpack("<Q", words + bytes(8)):
        total = (total << 23 | total >> 41) & 0xFFFFFFFFFFFFFFFF
        total = (total ^ word) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    return total
