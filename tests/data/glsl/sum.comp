#version 450

// The sum of a workgroup's words, in local memory.

layout(local_size_x = 256) in;

layout(binding = 0) readonly buffer Source {
    float words[];
};
layout(binding = 2) buffer Sums {
    float sums[];
};

shared float parts[256];

void main() {
    uint own = gl_LocalInvocationID.x;
    parts[own] = words[gl_GlobalInvocationID.x];
    barrier();
    for (uint half_of = 128; half_of > 0; half_of >>= 1) {
        if (own < half_of) {
            parts[own] += parts[own + half_of];
        }
        barrier();
    }
    if (own == 0) {
        sums[gl_WorkGroupID.x] = parts[0];
    }
}
