// bins[b] += how many of the n bytes of x are b. The caller promises 256 bins, and sets them to zero before the first
// call of a sum. Right for any one-dimensional grid; blocks of 256 threads suit it best.

typedef unsigned long long u64;

extern "C" __global__ void histogram(unsigned n, const unsigned char *__restrict__ x, unsigned *bins) {
    __shared__ unsigned local[256]; // counted near the block first: a global atomic for each byte would be slow
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
    __syncthreads();
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&local[x[i]], 1u);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) {
        if (local[b] != 0) atomicAdd(&bins[b], local[b]);
    }
}
