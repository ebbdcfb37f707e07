"""By the CUDA driver's own library and `ctypes`: what cuda.core calls underneath, and nothing else."""

import ctypes
import os
import secrets
from ctypes import byref, c_char, c_int, c_size_t, c_ubyte, c_uint, c_ushort, c_void_p

NON_BLOCKING = 1
EVENT_INTERPROCESS = 2 | 4
"""CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS."""
POSIX_FILE_DESCRIPTOR = 1
PINNED, ON_DEVICE = 1, 1
"""CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE."""


class Bytes64(ctypes.Structure):
    """CUmemPoolPtrExportData, CUipcEventHandle."""

    _fields_ = [("data", c_ubyte * 64)]


class PoolProps(ctypes.Structure):
    """CUmemPoolProps. (What follows `security` was reserved, and zero, before CUDA 12.)"""

    _fields_ = [("allocation", c_int), ("handles", c_int), ("place", c_int), ("ordinal", c_int), ("security", c_void_p),
                ("max_size", c_size_t), ("usage", c_ushort), ("reserved", c_ubyte * 54)]


SIGNATURES = {
    "cuInit": [c_uint],
    "cuDeviceGet": [c_void_p, c_int],
    "cuDeviceGetUuid_v2": [c_void_p, c_int],
    "cuDevicePrimaryCtxRetain": [c_void_p, c_int],
    "cuCtxSetCurrent": [c_void_p],
    "cuStreamCreate": [c_void_p, c_uint],
    "cuStreamSynchronize": [c_void_p],
    "cuStreamWaitEvent": [c_void_p, c_void_p, c_uint],
    "cuMemcpyDtoHAsync_v2": [c_void_p, c_size_t, c_size_t, c_void_p],
    "cuMemcpyHtoDAsync_v2": [c_size_t, c_void_p, c_size_t, c_void_p],
    "cuMemFreeAsync": [c_size_t, c_void_p],
    "cuMemPoolImportFromShareableHandle": [c_void_p, c_void_p, c_int, c_size_t],
    "cuMemPoolImportPointer": [c_void_p, c_void_p, c_void_p],
    "cuIpcOpenEventHandle": [c_void_p, Bytes64],
    "cuEventDestroy_v2": [c_void_p],
    "cuMemPoolCreate": [c_void_p, c_void_p],
    "cuMemAllocFromPoolAsync": [c_void_p, c_size_t, c_void_p, c_void_p],
    "cuMemPoolExportToShareableHandle": [c_void_p, c_void_p, c_int, c_size_t],
    "cuMemPoolExportPointer": [c_void_p, c_size_t],
    "cuEventCreate": [c_void_p, c_uint],
    "cuEventRecord": [c_void_p, c_void_p],
    "cuIpcGetEventHandle": [c_void_p, c_void_p],
}


class LibCuda:
    """The first device, its primary context, and one stream."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.functions = {}
        self.call("cuInit", 0)
        self.ordinal = self.made("cuDeviceGet", c_int(), 0).value
        self.uuid = bytes(self.made("cuDeviceGetUuid_v2", (c_ubyte * 16)(), self.ordinal))
        context = self.made("cuDevicePrimaryCtxRetain", c_void_p(), self.ordinal)
        self.call("cuCtxSetCurrent", context)
        self.stream = self.made("cuStreamCreate", c_void_p(), NON_BLOCKING)

    def __str__(self):
        return "libcuda.so.1"

    def call(self, name, *arguments):
        function = self.functions.get(name)
        if function is None:
            function = self.functions[name] = getattr(self.library, name)
            function.argtypes, function.restype = SIGNATURES[name], c_int
        code = function(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(code, byref(text))
            raise RuntimeError(f"{name} failed: {(text.value or b'unknown').decode()} ({code})")

    def made(self, name, result, *arguments):
        """What a call writes to its first argument."""
        self.call(name, byref(result), *arguments)
        return result

    def open_pool(self, descriptor):
        return self.made("cuMemPoolImportFromShareableHandle", c_void_p(), descriptor, POSIX_FILE_DESCRIPTOR, 0)

    def map(self, pool, offer):
        if offer.event is not None:
            event = self.made("cuIpcOpenEventHandle", c_void_p(), Bytes64.from_buffer_copy(offer.event))
            self.call("cuStreamWaitEvent", self.stream, event, 0)
            # The wait keeps the record that it was submitted for.
            self.call("cuEventDestroy_v2", event)
        pointer = Bytes64.from_buffer_copy(offer.pointer)
        address = self.made("cuMemPoolImportPointer", c_size_t(), pool, byref(pointer)).value
        return Block(self, address, offer.nbytes)

    def allocate(self, nbytes):
        props = PoolProps(allocation=PINNED, handles=POSIX_FILE_DESCRIPTOR, place=ON_DEVICE, ordinal=self.ordinal)
        pool = self.made("cuMemPoolCreate", c_void_p(), byref(props))
        address = self.made("cuMemAllocFromPoolAsync", c_size_t(), nbytes, pool, self.stream).value
        return Exported(self, address, nbytes, pool)


class Block:
    """Memory of another process. All work on it is on the device's stream."""

    def __init__(self, device, address, nbytes):
        self.device, self.address, self.nbytes = device, address, nbytes
        self.host = (c_char * nbytes)()

    def read(self):
        self.device.call("cuMemcpyDtoHAsync_v2", self.host, self.address, self.nbytes, self.device.stream)
        self.finish()
        return self.host.raw

    def write(self, data):
        # What is copied is not touched again before the stream is synchronised: `read`, `finish` and `unmap` do that.
        self.finish()
        self.host.raw = data
        self.device.call("cuMemcpyHtoDAsync_v2", self.address, self.host, self.nbytes, self.device.stream)

    def finish(self):
        self.device.call("cuStreamSynchronize", self.device.stream)

    def unmap(self):
        # The free is queued behind the copies; when the stream is done, so is the free.
        self.device.call("cuMemFreeAsync", self.address, self.device.stream)
        self.finish()


class Exported(Block):
    """Memory that other processes can map."""

    def __init__(self, device, address, nbytes, pool):
        super().__init__(device, address, nbytes)
        # Any number that no other pool has.
        self.pool = secrets.token_bytes(16)
        # The pool first: the driver exports a pointer only once its pool has been exported.
        descriptor = c_int(-1)
        device.call("cuMemPoolExportToShareableHandle", byref(descriptor), pool, POSIX_FILE_DESCRIPTOR, 0)
        self.descriptor = descriptor.value
        self.pointer = bytes(device.made("cuMemPoolExportPointer", Bytes64(), address))
        # Kept and recorded again: by then the receipt has come, and nobody is still to wait for the record before.
        self.event = device.made("cuEventCreate", c_void_p(), EVENT_INTERPROCESS)
        self.event_data = bytes(device.made("cuIpcGetEventHandle", Bytes64(), self.event))

    def record(self):
        self.device.call("cuEventRecord", self.event, self.device.stream)
        return self.event_data

    def free(self):
        self.unmap()
        self.device.call("cuEventDestroy_v2", self.event)
        os.close(self.descriptor)
