#version 450

// A texture with holes, blurred by distance.

layout(binding = 3) uniform sampler2D image;

layout(location = 0) in vec2 texel;
layout(location = 1) in vec3 direction;
layout(location = 2) in float brightness;

layout(location = 0) out vec4 colour;

void main() {
    vec4 sharp = texture(image, texel);
    if (sharp.a < 0.25) {
        discard;
    }
    float distance = length(direction);
    vec4 blurred = textureLod(image, texel, log2(1.0 + distance));
    vec4 shade = mix(sharp, blurred, smoothstep(2.0, 9.0, distance));
    colour = vec4(pow(shade.rgb * brightness, vec3(0.4545)), shade.a);
}
