"""By NVIDIA's cuda.core, as `cuda.core` (1.0 and later) and as `cuda.core.experimental` (before)."""

import ctypes
import importlib
import importlib.metadata
import secrets

from devices import doing


def import_core():
    """The package and its name. (Its `__name__` may be that of a part.)"""
    reasons = []
    for name in ("cuda.core", "cuda.core.experimental"):
        try:
            package = importlib.import_module(name)
        except ImportError as error:
            reasons.append(f"{name}: {error}")
            continue
        if hasattr(package, "DeviceMemoryResource"):
            return package, name
        reasons.append(f"{name} has no DeviceMemoryResource")
    raise ImportError("; ".join(reasons))


def find(package, name, *modules):
    """A class that the package does not export itself. It moved between its modules."""
    reasons = []
    for module in modules:
        try:
            return getattr(importlib.import_module(f"{package}.{module}"), name)
        except (ImportError, AttributeError) as error:
            reasons.append(str(error))
    raise RuntimeError(f"{package} has no {name}: {'; '.join(reasons)}")


def payload(descriptor):
    """The 64 bytes in a descriptor of a buffer or an event. It has no name for them; pickling needs them, in all versions."""
    _, (data, *_) = descriptor.__reduce__()
    if len(data) != 64:
        raise RuntimeError(f"{type(descriptor).__name__} holds {len(data)} bytes, expected 64")
    return bytes(data)


def attribute(thing, name):
    """A property, or the method `get_` that it was."""
    return getattr(thing, name) if hasattr(thing, name) else getattr(thing, f"get_{name}")()


class CudaCore:
    """The first device and one stream."""

    def __init__(self):
        self.core, self.name = import_core()
        with doing("Device"):
            self.device = self.core.Device(0)
            self.device.set_current()
            self.stream = self.device.create_stream()
        with doing("Device.uuid"):
            self.uuid = bytes.fromhex(self.device.uuid.removeprefix("GPU-").removeprefix("MIG-").replace("-", ""))
        self.staging = None

    def __str__(self):
        return f"{self.name} {importlib.metadata.version('cuda-core')}"

    def open_pool(self, descriptor):
        with doing("DeviceMemoryResource.from_allocation_handle"):
            # A bare descriptor is duplicated there; `IPCAllocationHandle` is for those that come by `multiprocessing`.
            return self.core.DeviceMemoryResource.from_allocation_handle(self.device, descriptor)

    def map(self, pool, offer):
        if offer.event is not None:
            with doing("Event.from_ipc_descriptor"):
                kind = find(self.name, "IPCEventDescriptor", "_event")
                event = self.core.Event.from_ipc_descriptor(kind._init(offer.event, False))
            with doing("Stream.wait"):
                self.stream.wait(event)
        with doing("Buffer.from_ipc_descriptor"):
            kind = find(self.name, "IPCBufferDescriptor", "_memory._ipc", "_memory")
            descriptor = kind._init(offer.pointer, offer.nbytes)
            buffer = self.core.Buffer.from_ipc_descriptor(pool, descriptor, stream=self.stream)
        return Block(self, buffer)

    def allocate(self, nbytes):
        with doing("DeviceMemoryResource with ipc_enabled"):
            options = self.core.DeviceMemoryResourceOptions(ipc_enabled=True)
            pool = self.core.DeviceMemoryResource(self.device, options)
        with doing("DeviceMemoryResource.allocate"):
            buffer = pool.allocate(nbytes, stream=self.stream)
        return Exported(self, buffer, pool)

    def host(self, nbytes):
        """Pinned memory of that size, and its bytes."""
        if self.staging is None or self.staging.size != nbytes:
            with doing("LegacyPinnedMemoryResource.allocate"):
                self.staging = self.core.LegacyPinnedMemoryResource().allocate(nbytes)
        return self.staging, (ctypes.c_ubyte * nbytes).from_address(int(self.staging.handle))


class Block:
    """Memory of another process. All work on it is on the device's stream."""

    def __init__(self, device, buffer):
        self.device, self.buffer, self.stream = device, buffer, device.stream

    def read(self):
        staging, host = self.device.host(self.buffer.size)
        with doing("Buffer.copy_to"):
            self.buffer.copy_to(staging, stream=self.stream)
            self.stream.sync()
        return bytes(host)

    def write(self, data):
        # What is copied is not touched again before the stream is synchronised: `read`, `finish` and `unmap` do that.
        self.finish()
        staging, host = self.device.host(self.buffer.size)
        host[:] = data
        with doing("Buffer.copy_from"):
            self.buffer.copy_from(staging, stream=self.stream)

    def finish(self):
        with doing("Stream.sync"):
            self.stream.sync()

    def unmap(self):
        # The free is queued behind the copies; when the stream is done, so is the free.
        with doing("Buffer.close"):
            self.buffer.close(self.stream)
        self.finish()


class Exported(Block):
    """Memory that other processes can map."""

    def __init__(self, device, buffer, pool):
        super().__init__(device, buffer)
        self.resource = pool
        # Any number that no other pool has.
        self.pool = secrets.token_bytes(16)
        with doing("DeviceMemoryResource.allocation_handle"):
            # Before the pointer: the driver exports one only once its pool has been exported. Kept: it closes the
            # descriptor when it goes.
            self.handle = attribute(pool, "allocation_handle")
            self.descriptor = int(self.handle)
        with doing("Buffer.ipc_descriptor"):
            self.pointer = payload(attribute(buffer, "ipc_descriptor"))

    def record(self):
        with doing("Stream.record with ipc_enabled"):
            options = self.device.core.EventOptions(ipc_enabled=True)
            # Kept until the next: the importer opens it by then, and has waited for it when its receipt comes.
            self.event = self.stream.record(options=options)
            return payload(attribute(self.event, "ipc_descriptor"))

    def free(self):
        self.unmap()
