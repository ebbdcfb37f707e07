// A pattern that tells every place and every seed apart: what is written by one stream is verified on another.
// Both kernels are right for any one-dimensional grid.

typedef unsigned long long u64;

// The word at place i: one word for one place of one seed (each step can be undone).
//     h = i * 0x9E3779B1 + seed;  h ^= h >> 15;  h *= 0x85EBCA77;  h ^= h >> 13       (wrapping)
__device__ static unsigned word_at(unsigned i, unsigned seed) {
    unsigned h = i * 0x9E3779B1u + seed;
    h ^= h >> 15;
    h *= 0x85EBCA77u;
    return h ^ (h >> 13);
}

// out[i] = word_at(i, seed) for i < n.
extern "C" __global__ void fill_pattern(unsigned n, unsigned seed, unsigned *out) {
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = word_at((unsigned)i, seed);
}

// first_bad[0] = the smaller of first_bad[0] and the first i < n at which x[i] is not word_at(i, seed). The caller sets
// first_bad[0] to 0xFFFFFFFF before: it keeps that value when all is well.
extern "C" __global__ void verify_pattern(unsigned n, unsigned seed, const unsigned *__restrict__ x,
                                          unsigned *first_bad) {
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        if (x[i] != word_at((unsigned)i, seed)) {
            atomicMin(first_bad, (unsigned)i);
            return; // a thread's later places are larger
        }
    }
}
