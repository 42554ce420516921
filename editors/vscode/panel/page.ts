// The page of the panel: keeps what it was told last and has its parts drawn.

import type { FromPage, Shown, ToPage } from "../src/panel/messages";
import { drawChart } from "./chart";
import { element } from "./elements";
import { drawLadder } from "./ladder";
import { drawStalls } from "./stalls";

declare function acquireVsCodeApi(): {
    postMessage(message: FromPage): void;
    getState(): ToPage | undefined;
    setState(state: ToPage): void;
};

const editor = acquireVsCodeApi();
const page = document.getElementById("page") as HTMLElement;
let shown: Shown | undefined;
let moveCursor: (line: number) => void = () => undefined;

function open(line: number): void {
    if (shown !== undefined) {
        editor.postMessage({ kind: "open", uri: shown.uri, line });
    }
}

function draw(): void {
    if (shown === undefined) {
        return;
    }
    const { code, file } = shown;
    const chip = code.chips[0];
    const old = code.state === "fresh" ? "" : " (out of date)";
    const title = `${file}, ${code.name}${chip === undefined ? "" : ` for ${chip.target}`}${old}`;
    const pressure = section("pressure", `Register pressure: ${title}`);
    page.replaceChildren(
        pressure,
        section("ladder", "Register budget by occupancy", drawLadder(code)),
        section("stalls", "Stalls", drawStalls(shown, open)),
    );
    // How wide it may be is known once it has its place.
    const chart = drawChart(shown, open, pressure.clientWidth);
    moveCursor = chart.moveCursor;
    pressure.append(chart.root);
    moveCursor(shown.cursor);
}

function section(name: string, title: string, ...content: Element[]): HTMLElement {
    const heading = element("h2", { id: `${name}-title` }, title);
    return element("section", { class: name, "aria-labelledby": `${name}-title` }, heading, ...content);
}

function accept(message: ToPage): void {
    switch (message.kind) {
        case "cursor":
            if (shown !== undefined) {
                shown = { ...shown, cursor: message.line };
                moveCursor(message.line);
            }
            return;
        case "nothing":
            shown = undefined;
            page.replaceChildren(element("p", { class: "nothing" }, message.message));
            break;
        case "costs":
            shown = message;
            draw();
            break;
    }
    editor.setState(message);
}

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => accept(data));
let width = page.clientWidth;
new ResizeObserver(() => {
    if (page.clientWidth !== width) {
        width = page.clientWidth;
        draw();
    }
}).observe(page);

// What was shown before the page was hidden, until the news is there.
const before = editor.getState();
if (before !== undefined) {
    accept(before);
}
editor.postMessage({ kind: "ready" });
