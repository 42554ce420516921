// The chart of register pressure: over the lines of the program, how many
// registers hold something that is needed.

import type { Shown } from "../src/panel/messages";
import type { LineCosts } from "../src/protocol";
import { drawing, element } from "./elements";

const height = 150;
const margin = { left: 32, right: 74, top: 8, bottom: 18 };

/** The chart, and how to move its mark to a line. */
export interface Chart {
    root: HTMLElement;
    moveCursor(line: number): void;
}

export function drawChart({ code, words, cursor }: Shown, open: (line: number) => void, room: number): Chart {
    const lines = code.lines;
    const chip = code.chips[0];
    const width = Math.max(240, Math.min(room, 1400));
    const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
    const peak = Math.max(1, ...lines.map(({ vgprs, sgprs }) => Math.max(vgprs, sgprs)));
    const top = Math.ceil((peak * 1.15) / 4) * 4;
    const step = inner.width / Math.max(1, lines.length);
    const x = (index: number): number => margin.left + index * step;
    const y = (registers: number): number => margin.top + inner.height * (1 - registers / top);

    /** A line of steps, each as wide as a line of the program. */
    const path = (read: (line: LineCosts) => number): string =>
        lines.map((line, index) => `${index === 0 ? "M" : "L"}${x(index)} ${y(read(line))}H${x(index + 1)}`).join("");

    const svg = drawing("svg", {
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
        tabindex: 0,
        role: "slider",
        "aria-label": "Register pressure over the lines; arrow keys move, Enter goes to the line",
        "aria-valuemin": 1,
        "aria-valuemax": lines.length,
    });
    for (let registers = 0; registers <= top; registers += top / 4) {
        svg.append(
            drawing("line", {
                class: "grid",
                x1: margin.left,
                x2: x(lines.length),
                y1: y(registers),
                y2: y(registers),
            }),
            drawing(
                "text",
                { class: "scale", x: margin.left - 5, y: y(registers) + 4, "text-anchor": "end" },
                String(registers),
            ),
        );
    }
    // Vector registers above such a line cost a wave.
    for (const { waves, vgprs } of chip?.ladder ?? []) {
        if (vgprs <= top) {
            svg.append(
                drawing("line", { class: "edge", x1: margin.left, x2: x(lines.length), y1: y(vgprs), y2: y(vgprs) }),
                drawing("text", { class: "edge-words", x: x(lines.length) + 5, y: y(vgprs) + 4 }, `${waves} waves`),
            );
        }
    }
    const ground = `V${y(0)}H${margin.left}Z`;
    svg.append(
        drawing("path", { class: "vector-area", d: `${path(({ vgprs }) => vgprs)}${ground}` }),
        drawing("path", { class: "vector", d: path(({ vgprs }) => vgprs) }),
        drawing("path", { class: "scalar", d: path(({ sgprs }) => sgprs) }),
    );
    const every = Math.max(1, Math.ceil(40 / step));
    lines.forEach(({ line }, index) => {
        if (index % every === 0) {
            svg.append(drawing("text", { class: "scale", x: x(index), y: height - 4 }, String(line + 1)));
        }
    });
    const here = drawing("rect", {
        class: "here",
        x: 0,
        y: margin.top,
        width: Math.max(2, step),
        height: inner.height,
    });
    const mark = drawing("rect", {
        class: "mark",
        x: 0,
        y: margin.top,
        width: Math.max(2, step),
        height: inner.height,
    });
    svg.append(here, mark);

    const readout = element("div", { class: "readout", role: "status" });
    let selected = 0;
    const say = (index: number): void => {
        selected = Math.max(0, Math.min(lines.length - 1, index));
        const line = lines[selected];
        if (line === undefined) {
            return;
        }
        mark.setAttribute("x", String(x(selected)));
        const wait = line.stall === 0 ? "" : ` + ${line.stall} stall`;
        const figures = `V ${line.vgprs}, S ${line.sgprs}, ${line.issue}${wait} clocks${line.peak ? ", peak" : ""}`;
        readout.replaceChildren(
            element("b", {}, `line ${line.line + 1}`),
            ` ${figures} `,
            element("code", {}, words[line.line] ?? ""),
        );
        svg.setAttribute("aria-valuenow", String(selected + 1));
        svg.setAttribute("aria-valuetext", `line ${line.line + 1}: ${figures}`);
    };
    const indexAt = (event: MouseEvent): number => {
        const box = svg.getBoundingClientRect();
        return Math.floor((event.clientX - box.left - margin.left) / step);
    };
    const go = (): void => {
        const line = lines[selected];
        if (line !== undefined) {
            open(line.line);
        }
    };
    svg.addEventListener("mousemove", (event) => say(indexAt(event)));
    svg.addEventListener("click", (event) => {
        say(indexAt(event));
        go();
    });
    svg.addEventListener("keydown", (event) => {
        const moves: Record<string, number> = {
            ArrowRight: selected + 1,
            ArrowLeft: selected - 1,
            Home: 0,
            End: lines.length - 1,
        };
        const to = moves[event.key];
        if (to !== undefined) {
            say(to);
            event.preventDefault();
        } else if (event.key === "Enter" || event.key === " ") {
            go();
            event.preventDefault();
        }
    });

    const legend = element(
        "div",
        { class: "legend" },
        element("span", { class: "vector-key" }, `vector, at most ${chip?.vgprs.peak ?? peak}`),
        element("span", { class: "scalar-key" }, `scalar, at most ${chip?.sgprs.peak ?? peak}`),
    );
    const moveCursor = (line: number): void => {
        const found = lines.findLastIndex((it) => it.line <= line);
        here.setAttribute("x", String(x(Math.max(0, found))));
        say(found);
    };
    moveCursor(cursor);
    return { root: element("div", { class: "chart" }, legend, svg, readout), moveCursor };
}
