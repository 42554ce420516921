#version 450

// A vertex in the space of the screen, with what its fragments need.

layout(binding = 1) uniform Camera {
    mat4 view;
    mat4 projection;
    vec4 light;
};

layout(location = 0) in vec4 place;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 coordinates;

layout(location = 0) out vec2 texel;
layout(location = 1) out vec3 direction;
layout(location = 2) out float brightness;

void main() {
    vec4 seen = view * place;
    vec3 turned = normalize(mat3(view) * normal.xyz);
    texel = coordinates.xy;
    direction = -seen.xyz;
    brightness = max(dot(turned, light.xyz), 0.0) + light.w;
    gl_Position = projection * seen;
}
