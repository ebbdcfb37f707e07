"""The words that `antecede-demo ipc` fills buffers with: one word for one place of one seed."""

import array

try:
    import numpy
except ImportError:
    numpy = None


def pattern(count, seed):
    """The bytes of `count` words of 32 bits:
    `h = place * 0x9E3779B1 + seed;  h ^= h >> 15;  h *= 0x85EBCA77;  h ^= h >> 13`, wrapping."""
    if numpy is None:
        return array.array("I", (word(place, seed) for place in range(count))).tobytes()
    h = numpy.arange(count, dtype=numpy.uint32) * numpy.uint32(0x9E3779B1)
    h += numpy.uint32(seed)
    h ^= h >> numpy.uint32(15)
    h *= numpy.uint32(0x85EBCA77)
    h ^= h >> numpy.uint32(13)
    return h.tobytes()


def word(place, seed):
    """One of them."""
    h = (place * 0x9E3779B1 + seed) & 0xFFFFFFFF
    h ^= h >> 15
    h = h * 0x85EBCA77 & 0xFFFFFFFF
    return h ^ h >> 13


def written(round_number):
    """The seed of what the exporter writes in a round."""
    return 2 * round_number


def answered(round_number):
    """The seed of what the importer writes in its place."""
    return 2 * round_number + 1


def check(found, seed, what):
    """Raises `AssertionError` if the bytes are not the pattern."""
    count = len(found) // 4
    expected = pattern(count, seed)
    if found == expected:
        return
    place = next(at for at in range(count) if found[4 * at : 4 * at + 4] != expected[4 * at : 4 * at + 4])
    have = int.from_bytes(found[4 * place : 4 * place + 4], "little")
    raise AssertionError(f"{what}: word {place} of {count} is {have:#010x}, expected {word(place, seed):#010x}")
