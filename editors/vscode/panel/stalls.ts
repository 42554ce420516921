// The lines that wait, the longest wait first, each with the line it waits for.

import type { Shown } from "../src/panel/messages";
import { drawing, element, jump } from "./elements";

/** More would hide the ones that matter. */
const most = 40;
const barWidth = 60;

export function drawStalls({ code, words }: Shown, open: (line: number) => void): HTMLElement {
    const waiting = code.lines.filter(({ stall }) => stall > 0).sort((one, other) => other.stall - one.stall);
    const longest = waiting[0]?.stall;
    if (longest === undefined) {
        return element("p", { class: "nothing" }, "No line waits for another.");
    }
    const total = waiting.reduce((sum, { stall }) => sum + stall, 0);
    const rows = waiting.slice(0, most).map(({ line, stall, cause }) =>
        element(
            "tr",
            {},
            element("td", { class: "number" }, String(stall)),
            element("td", {}, bar(stall / longest)),
            element(
                "td",
                {},
                jump(name(line, words), () => open(line)),
            ),
            element("td", {}, cause === null ? "" : jump(name(cause, words), () => open(cause))),
        ),
    );
    const head = ["clocks", `of ${total}`, "line", "waits for"].map((title) => element("th", { scope: "col" }, title));
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
    const rest = waiting.length - rows.length;
    const more = rest > 0 ? [element("p", { class: "nothing" }, `${rest} more lines wait less.`)] : [];
    return element("div", { class: "scroll" }, table, ...more);
}

function name(line: number, words: Record<number, string>): string {
    return `${line + 1}: ${words[line] ?? ""}`;
}

function bar(share: number): SVGElement {
    const length = Math.max(1, share * barWidth);
    const shape = drawing("rect", { class: "stall", width: length, height: 8 });
    return drawing("svg", { width: barWidth, height: 8, "aria-hidden": "true" }, shape);
}
