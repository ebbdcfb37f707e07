"""Compiles each kernels/*.cu to PTX through NVRTC, or checks that the PTX is that of the source (see make-ptx.sh)."""

import ctypes
import hashlib
import pathlib
import sys

# C++03: from C++11 on, NVRTC adds some 40 module globals of its own to every file.
OPTIONS = ["--gpu-architecture=compute_70", "--std=c++03", "--restrict"]


def source_line(source: pathlib.Path) -> str:
    return f"// source sha256: {hashlib.sha256(source.read_bytes()).hexdigest()}"


def load_nvrtc() -> ctypes.CDLL:
    """NVRTC from the `nvidia` package of the interpreter's own environment."""
    found = sorted(pathlib.Path(sys.prefix).glob("lib*/python*/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.*"))
    if not found:
        sys.exit(f"no libnvrtc under {sys.prefix}")
    # The compiler opens its built-in functions by name: loaded first, they are found.
    for builtins in sorted(found[0].parent.glob("libnvrtc-builtins.so.*")):
        ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
    nvrtc = ctypes.CDLL(str(found[0]))
    nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
    return nvrtc


def text_of(nvrtc: ctypes.CDLL, what: str, program: ctypes.c_void_p) -> str:
    """The program's log or PTX: one call for the size, one for the bytes."""
    size = ctypes.c_size_t()
    check(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    text = ctypes.create_string_buffer(size.value)
    check(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, text))
    return text.value.decode()


def check(nvrtc: ctypes.CDLL, code: int) -> None:
    if code != 0:
        sys.exit(f"NVRTC: {nvrtc.nvrtcGetErrorString(code).decode()}")


def compile_one(nvrtc: ctypes.CDLL, source: pathlib.Path) -> str:
    program = ctypes.c_void_p()
    name = source.name.encode()
    check(nvrtc, nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.read_bytes(), name, 0, None, None))
    options = (ctypes.c_char_p * len(OPTIONS))(*[option.encode() for option in OPTIONS])
    code = nvrtc.nvrtcCompileProgram(program, len(OPTIONS), options)
    log = text_of(nvrtc, "ProgramLog", program).strip()
    if log:
        print(log, file=sys.stderr)
    if code != 0:
        sys.exit(f"{source}: {nvrtc.nvrtcGetErrorString(code).decode()}")
    return text_of(nvrtc, "PTX", program)


def main() -> None:
    checking = sys.argv[1] == "--check"
    folder = pathlib.Path(sys.argv[-1])
    sources = sorted(folder.glob("*.cu"))
    orphans = [ptx.name for ptx in folder.glob("*.ptx") if not ptx.with_suffix(".cu").exists()]
    if not sources or orphans:
        sys.exit(f"{folder}: {len(sources)} sources, PTX without a source: {orphans}")
    if checking:
        stale = [s.name for s in sources if not s.with_suffix(".ptx").exists()
                 or s.with_suffix(".ptx").read_text().split("\n", 1)[0] != source_line(s)]
        sys.exit(f"run scripts/make-ptx.sh: the PTX is not that of {stale}" if stale else None)

    nvrtc = load_nvrtc()
    major, minor = ctypes.c_int(), ctypes.c_int()
    check(nvrtc, nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    for source in sources:
        ptx = compile_one(nvrtc, source)
        made = f"// NVRTC {major.value}.{minor.value}: {' '.join(OPTIONS)}"
        # The compiler may pad its text with further end marks.
        source.with_suffix(".ptx").write_text("\n".join([source_line(source), made, "", ptx.strip("\0\n"), ""]))
        print(f"{source.name}: {ptx.count('.entry')} entries")


if __name__ == "__main__":
    main()
