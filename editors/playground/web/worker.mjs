// The engine in a thread of its own. Questions come and answers go in order, by number.
import init, { Playground } from "engine";

const ready = init({ module_or_path: new URL("engine_bg.wasm", import.meta.url) }).then(() => new Playground());

self.onmessage = async ({ data: { number, question, given } }) => {
    try {
        const playground = await ready;
        const began = performance.now();
        const answer = playground[question](...given);
        self.postMessage({ number, answer, took: performance.now() - began });
    } catch (error) {
        // After a panic this instance answers nothing more: the page starts another.
        self.postMessage({ number, fault: String(error) });
    }
};
