// The state of the page in its address: what no server sees, since it comes after the `#`.

async function through(bytes, stream) {
    const piped = new Blob([bytes]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** Returns a state as the fragment of an address. */
export async function encode(state) {
    const bytes = new TextEncoder().encode(JSON.stringify(state));
    const packed = await through(bytes, new CompressionStream("deflate-raw"));
    let text = "";
    for (const byte of packed) text += String.fromCharCode(byte);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the state of a fragment; null where it holds none. */
export async function decode(fragment) {
    if (!fragment) return null;
    try {
        const text = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
        const packed = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
        const bytes = await through(packed, new DecompressionStream("deflate-raw"));
        const state = JSON.parse(new TextDecoder().decode(bytes));
        return typeof state?.text === "string" ? state : null;
    } catch {
        return null;
    }
}
