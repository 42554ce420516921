#version 450

// The steps until a point escapes, by a loop that each lane leaves in its own time.

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 1) uniform View {
    vec2 corner;
    float scale;
    uint most;
    uint width;
};
layout(binding = 2) writeonly buffer Steps {
    uint steps[];
};

void main() {
    vec2 start = corner + vec2(gl_GlobalInvocationID.xy) * scale;
    vec2 point = start;
    uint count = 0;
    while (count < most) {
        if (dot(point, point) > 4.0) {
            break;
        }
        point = vec2(point.x * point.x - point.y * point.y, 2.0 * point.x * point.y) + start;
        count++;
    }
    steps[gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x] = count;
}
