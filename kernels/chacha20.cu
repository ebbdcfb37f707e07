// ChaCha20 as in RFC 8439, section 2.4: out[i] = in[i] ^ keystream[i] for i < n bytes. Encrypts and decrypts.
//
// key_nonce holds 11 words: the key's 8, then the nonce's 3, each read from its bytes in little-endian order. counter
// is the block counter of the first 64 bytes; it wraps. Right for any one-dimensional grid; a thread makes a block of 64
// bytes at a time. Buffers may have any alignment (16 bytes is fast); nothing from n on is touched. in and out do not
// overlap.

typedef unsigned long long u64;

__device__ static void quarter(unsigned &a, unsigned &b, unsigned &c, unsigned &d) {
    a += b; d = __byte_perm(d ^ a, 0, 0x1032);      // rotated left by 16
    c += d; b = __funnelshift_l(b ^ c, b ^ c, 12);
    a += b; d = __byte_perm(d ^ a, 0, 0x2103);      // rotated left by 8
    c += d; b = __funnelshift_l(b ^ c, b ^ c, 7);
}

// The 16 words of the keystream's block.
__device__ static void keystream(const unsigned *__restrict__ key_nonce, unsigned counter, unsigned s[16]) {
    s[0] = 0x61707865u; s[1] = 0x3320646Eu; s[2] = 0x79622D32u; s[3] = 0x6B206574u;
#pragma unroll
    for (int i = 0; i < 8; i++) s[4 + i] = key_nonce[i];
    s[12] = counter;
#pragma unroll
    for (int i = 0; i < 3; i++) s[13 + i] = key_nonce[8 + i];
#pragma unroll
    for (int round = 0; round < 10; round++) {
        quarter(s[0], s[4], s[8], s[12]);
        quarter(s[1], s[5], s[9], s[13]);
        quarter(s[2], s[6], s[10], s[14]);
        quarter(s[3], s[7], s[11], s[15]);
        quarter(s[0], s[5], s[10], s[15]);
        quarter(s[1], s[6], s[11], s[12]);
        quarter(s[2], s[7], s[8], s[13]);
        quarter(s[3], s[4], s[9], s[14]);
    }
    s[0] += 0x61707865u; s[1] += 0x3320646Eu; s[2] += 0x79622D32u; s[3] += 0x6B206574u;
#pragma unroll
    for (int i = 0; i < 8; i++) s[4 + i] += key_nonce[i];
    s[12] += counter;
#pragma unroll
    for (int i = 0; i < 3; i++) s[13 + i] += key_nonce[8 + i];
}

extern "C" __global__ void chacha20(unsigned n, const unsigned *__restrict__ key_nonce, unsigned counter,
                                    const unsigned char *__restrict__ in, unsigned char *__restrict__ out) {
    bool aligned = (((u64)in | (u64)out) & 15) == 0;
    u64 blocks = ((u64)n + 63) / 64;
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 block = (u64)blockIdx.x * blockDim.x + threadIdx.x; block < blocks; block += stride) {
        unsigned s[16];
        keystream(key_nonce, counter + (unsigned)block, s);
        u64 start = block * 64;
        if (aligned && start + 64 <= n) {
            const uint4 *from = (const uint4 *)(in + start);
            uint4 *to = (uint4 *)(out + start);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                uint4 v = from[i];
                v.x ^= s[4 * i]; v.y ^= s[4 * i + 1]; v.z ^= s[4 * i + 2]; v.w ^= s[4 * i + 3];
                to[i] = v;
            }
        } else {
            // Unrolled, so that `s` is indexed by constants and stays in registers.
#pragma unroll
            for (int i = 0; i < 64; i++) {
                if (start + i < n) out[start + i] = in[start + i] ^ (unsigned char)(s[i / 4] >> (8 * (i % 4)));
            }
        }
    }
}
