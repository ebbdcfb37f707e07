// Elementwise arithmetic. Every kernel is right for any one-dimensional grid: its threads stride over the elements.
// The caller promises n elements in every array, and that the arrays that are written overlap no other.

typedef unsigned long long u64;

__device__ static u64 first() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ static u64 stride() { return (u64)gridDim.x * blockDim.x; }

// y[i] = a * x[i] + y[i], with one rounding (fused multiply-add).
extern "C" __global__ void saxpy(unsigned n, float a, const float *__restrict__ x, float *__restrict__ y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = fmaf(a, x[i], y[i]);
}

// y[i] = a * x[i].
extern "C" __global__ void scale(unsigned n, float a, const float *__restrict__ x, float *__restrict__ y) {
    for (u64 i = first(); i < n; i += stride()) y[i] = a * x[i];
}

// x[i] = x[i] + 1, wrapping.
extern "C" __global__ void increment(unsigned n, unsigned *x) {
    for (u64 i = first(); i < n; i += stride()) x[i] += 1u;
}
