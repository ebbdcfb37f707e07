// Kernels with one to eight buffers: all but the last are read, and their sum is written to the last. Every kernel is right
// for any one-dimensional grid. The caller promises n elements in every array, and that the last overlaps no other.

typedef unsigned long long u64;

__device__ static u64 first() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ static u64 stride() { return (u64)gridDim.x * blockDim.x; }

// y[i] = 1.
extern "C" __global__ void one(unsigned n, unsigned *y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = 1u;
}

// y[i] = a[i].
extern "C" __global__ void two(unsigned n, const unsigned *a, unsigned *y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = a[i];
}

// y[i] = a[i] + b[i].
extern "C" __global__ void three(unsigned n, const unsigned *a, const unsigned *b, unsigned *y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = a[i] + b[i];
}

// y[i] = a[i] + .. + c[i].
extern "C" __global__ void four(unsigned n, const unsigned *a, const unsigned *b, const unsigned *c, unsigned *y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = a[i] + b[i] + c[i];
}

// y[i] = a[i] + .. + d[i].
extern "C" __global__ void five(unsigned n, const unsigned *a, const unsigned *b, const unsigned *c, const unsigned *d,
                                unsigned *y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = a[i] + b[i] + c[i] + d[i];
}

// y[i] = a[i] + .. + e[i].
extern "C" __global__ void six(unsigned n, const unsigned *a, const unsigned *b, const unsigned *c, const unsigned *d,
                               const unsigned *e, unsigned *y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = a[i] + b[i] + c[i] + d[i] + e[i];
}

// y[i] = a[i] + .. + f[i].
extern "C" __global__ void seven(unsigned n, const unsigned *a, const unsigned *b, const unsigned *c, const unsigned *d,
                                 const unsigned *e, const unsigned *f, unsigned *y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i];
}

// y[i] = a[i] + .. + g[i].
extern "C" __global__ void eight(unsigned n, const unsigned *a, const unsigned *b, const unsigned *c, const unsigned *d,
                                 const unsigned *e, const unsigned *f, const unsigned *g, unsigned *y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i];
}
