#version 450

// Counts in local memory, which atomic operations add to those of all.

layout(local_size_x = 64) in;

layout(binding = 0) readonly buffer Source {
    uint words[];
};
layout(binding = 2) buffer Counts {
    uint counts[256];
};

shared uint own[256];

void main() {
    for (uint bin = gl_LocalInvocationID.x; bin < 256; bin += 64) {
        own[bin] = 0;
    }
    barrier();
    uint word = words[gl_GlobalInvocationID.x];
    for (int shift = 0; shift < 32; shift += 8) {
        atomicAdd(own[bitfieldExtract(word, shift, 8)], 1);
    }
    barrier();
    for (uint bin = gl_LocalInvocationID.x; bin < 256; bin += 64) {
        if (own[bin] > 0) {
            atomicAdd(counts[bin], own[bin]);
        }
    }
}
