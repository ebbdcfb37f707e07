"""What the two scripts do with a device, and the ways to do it.

Each way is a class with the same few methods:

    uuid                                16 bytes
    open_pool(descriptor) -> pool       the descriptor stays the caller's
    map(pool, offer) -> mapping         waits for the offer's event on the mapping's stream
    mapping.read() -> bytes             all of it, when everything earlier is over
    mapping.write(data)
    mapping.unmap()                     frees it behind all that, and returns when the free has taken effect
    allocate(nbytes) -> block           memory that other processes can map
    block.pool, block.descriptor        what names its pool: 16 bytes, and a descriptor
    block.pointer                       64 bytes
    block.write(data), block.read()
    block.finish()                      returns when everything on it is over
    block.record() -> bytes             64 bytes: an event after everything on it; `finish` may be left out then
    block.free()
"""

import contextlib
import sys

WAYS = ("cuda.core", "libcuda", "simulator")


def open_device(way):
    """Opens the first device in one of the ways; `auto` is cuda.core, or libcuda where that cannot be imported."""
    if way == "auto":
        try:
            return open_device("cuda.core")
        except ImportError as error:
            print(f"cuda.core cannot be used here ({error}): by libcuda.so.1 instead", file=sys.stderr)
            return open_device("libcuda")
    if way == "cuda.core":
        from device_cuda_core import CudaCore as Way
    elif way == "libcuda":
        from device_libcuda import LibCuda as Way
    else:
        from device_simulator import Simulator as Way
    return Way()


@contextlib.contextmanager
def doing(what):
    """Names what failed, whatever it raises."""
    try:
        yield
    except Exception as error:
        raise RuntimeError(f"{what} failed: {type(error).__name__}: {error}") from error
