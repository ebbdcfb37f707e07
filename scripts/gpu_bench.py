"""Host time of the operations of `gpu calls` through cuda.core and PyTorch, and one table of all.

    gpu_bench.py [--with FILE] [--ptx FILE] [--repeats N] [--json FILE]

FILE of --with is what `gpu calls --json` wrote on the same machine: its rows come first, and its raw calls are what ratios
are of. A library that is not installed is named with the reason. Medians of many runs, with the quartiles.
"""
import argparse
import gc
import json
import pathlib
import statistics
import time

LEN = 256
KERNELS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
LAUNCHES = {f"launch, {count} buffers": count for count in range(1, 9)}
HAND_OVERS = [f"hand-over of {count}" for count in (1, 2, 4, 8, 16)] + ["hand-over of a Vec of 16", "record, then wait"]
ROWS = [*LAUNCHES, "launch and hand-over", *HAND_OVERS, "alloc and free", "fork to 4 and join"]


def times(row):
    return 20 if row.startswith("fork") else 200


class CudaCore:
    """NVIDIA's cuda.core. A wait for a stream makes an event each time; nothing orders a buffer's uses by itself."""

    name = "cuda.core (Python)"

    def __init__(self, ptx):
        try:
            from cuda import core
            core.Device
        except (ImportError, AttributeError):
            from cuda.core import experimental as core
        import numpy

        self.core = core
        self.device = core.Device(0)
        self.device.set_current()
        options = core.StreamOptions(nonblocking=True)
        self.streams = [self.device.create_stream(options=options) for _ in range(6)]
        module = core.ObjectCode.from_ptx(ptx)
        self.kernels = [module.get_kernel(name) for name in KERNELS]
        self.config = core.LaunchConfig(grid=1, block=256)
        self.n = numpy.uint32(LEN)
        self.buffers = [self.allocate() for _ in range(8)]
        self.sync()

    def allocate(self):
        return self.device.memory_resource.allocate(4 * LEN, stream=self.streams[0])

    def sync(self):
        self.device.sync()

    def launch(self, stream, *buffers):
        self.core.launch(stream, self.config, self.kernels[len(buffers) - 1], self.n, *buffers)

    def operation(self, row):
        home, other, *readers = self.streams
        x, *outs = self.buffers

        if row in LAUNCHES:
            buffers = self.buffers[: LAUNCHES[row]]
            return lambda: self.launch(home, *buffers), 1

        def ping_pong():
            self.launch(home, x)
            other.wait(home)
            self.launch(other, x)
            home.wait(other)

        def hand_over():
            other.wait(home)
            home.wait(other)

        def alloc_free():
            self.allocate().close(home)

        def fork():
            self.launch(home, x)
            for reader, out in zip(readers, outs):
                reader.wait(home)
                self.launch(reader, x, out)
            for reader in readers:
                home.wait(reader)

        if row in HAND_OVERS:
            return hand_over, 2
        return {"launch and hand-over": (ping_pong, 2), "alloc and free": (alloc_free, 1)}.get(row, (fork, 1))


class PyTorch:
    """PyTorch's streams. Its launches are its own operations; its allocator seldom calls the driver."""

    name = "PyTorch"

    def __init__(self, _ptx):
        import torch

        if not torch.cuda.is_available():
            raise RuntimeError("torch.cuda is not available")
        self.torch = torch
        self.streams = [torch.cuda.Stream() for _ in range(6)]
        self.buffers = [torch.zeros(LEN, dtype=torch.int32, device="cuda") for _ in range(8)]
        self.sync()

    def sync(self):
        self.torch.cuda.synchronize()

    def operation(self, row):
        torch, (home, other, *readers), (x, *outs) = self.torch, self.streams, self.buffers

        def one():
            x.fill_(1)

        def two():
            outs[0].copy_(x)

        def three():
            torch.add(x, outs[0], out=outs[1])

        def ping_pong():
            with torch.cuda.stream(home):
                one()
            other.wait_stream(home)
            with torch.cuda.stream(other):
                one()
            home.wait_stream(other)

        def hand_over():
            other.wait_stream(home)
            home.wait_stream(other)

        def alloc_free():
            torch.empty(LEN, dtype=torch.int32, device="cuda")

        def fork():
            with torch.cuda.stream(home):
                one()
            for reader, out in zip(readers, outs):
                reader.wait_stream(home)
                with torch.cuda.stream(reader):
                    out.copy_(x)
            for reader in readers:
                home.wait_stream(reader)

        if row in HAND_OVERS:
            return hand_over, 2
        return {
            "launch, 1 buffers": (one, 1),
            "launch, 2 buffers": (two, 1),
            "launch, 3 buffers": (three, 1),
            "launch and hand-over": (ping_pong, 2),
            "alloc and free": (alloc_free, 1),
            "fork to 4 and join": (fork, 1),
        }.get(row)


def measured(system, row, repeats):
    operation = system.operation(row)
    if operation is None:
        return None
    operation, each = operation
    count = times(row) // each
    taken = []
    for repeat in range(repeats + 2):
        start = time.perf_counter()
        for _ in range(count):
            operation()
        took = time.perf_counter() - start
        system.sync()
        if repeat >= 2:
            taken.append(took * 1e6 / (count * each))
    lower, median, upper = statistics.quantiles(taken, n=4, method="inclusive")
    return {"median": median, "lower": lower, "upper": upper}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--with", dest="earlier", type=pathlib.Path)
    parser.add_argument("--ptx", type=pathlib.Path, default=pathlib.Path(__file__).parent / "many.ptx")
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()

    table = json.loads(arguments.earlier.read_text()) if arguments.earlier else {"unit": "microseconds", "rows": []}
    rows = {row["row"]: row for row in table["rows"]}
    for name in ROWS:
        rows.setdefault(name, {"row": name, "systems": {}})
    table["rows"] = list(rows.values())

    ptx = arguments.ptx.read_bytes()
    systems = []
    for kind in (CudaCore, PyTorch):
        try:
            systems.append(kind(ptx))
        except Exception as error:
            print(f"{kind.name}: not available: {type(error).__name__}: {error}")
    gc.disable()
    for system in systems:
        for name in ROWS:
            try:
                found = measured(system, name, arguments.repeats)
            except Exception as error:
                print(f"{system.name}, {name}: not available: {type(error).__name__}: {error}")
                found = None
            raw = rows[name]["systems"].get("raw calls")
            if found and raw:
                found["ratio"] = found["median"] / raw["median"]
            rows[name]["systems"][system.name] = found

    names = list(dict.fromkeys(name for row in rows.values() for name in row["systems"]))
    print(f"{'microseconds':<26}" + "".join(f"{name:>22}" for name in names))
    for row in rows.values():
        cells = []
        for name in names:
            found = row["systems"].get(name)
            ratio = f" {found['ratio']:6.2f}x" if found and found.get("ratio") else ""
            cells.append(f"{found['median']:.3f}{ratio}" if found else "-")
        others = [row["systems"].get(name) for name in names if name not in ("raw calls", "antecede")]
        ours = row["systems"].get("antecede")
        slower = ours and any(other and other["median"] <= ours["median"] for other in others)
        print(f"{row['row']:<26}" + "".join(f"{cell:>22}" for cell in cells) + ("  NOT the fastest" if slower else ""))
    if arguments.json:
        arguments.json.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
