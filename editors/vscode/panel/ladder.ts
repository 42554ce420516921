// The occupancy ladder: per chip, how many registers a wave may use for how many
// waves to fit, and on which step the code stands.

import type { ChipCosts, CodeCosts } from "../src/protocol";
import { element } from "./elements";

const limits: Record<string, string> = {
    waves: "chip maximum",
    vgprs: "limited by vector registers",
    sgprs: "limited by scalar registers",
    lds: "limited by local data share",
    groups: "limited by the number of groups",
};

export function drawLadder({ chips }: CodeCosts): HTMLElement {
    const most = Math.max(1, ...chips.flatMap(({ ladder }) => ladder.map(({ waves }) => waves)));
    const steps = Array.from({ length: most }, (_, index) => most - index);
    const head = element(
        "tr",
        {},
        element("th", { scope: "col" }, "waves"),
        ...steps.map((waves) => element("th", { scope: "col" }, String(waves))),
        element("th", { scope: "col" }, ""),
    );
    const rows = chips.map((chip) => element("tr", {}, ...cells(chip, steps)));
    return element(
        "div",
        { class: "scroll" },
        element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
    );
}

function cells(chip: ChipCosts, steps: number[]): HTMLElement[] {
    const name = element(
        "th",
        { scope: "row" },
        chip.target,
        element("small", {}, `V ${chip.vgprs.used} S ${chip.sgprs.used}`),
    );
    const places = steps.map((waves) => {
        const step = chip.ladder.find((it) => it.waves === waves);
        if (step === undefined) {
            return element("td", { class: "never" }, "–");
        }
        const isHere = waves === chip.waves;
        const words = `${waves} waves: at most ${step.vgprs} vector and ${step.sgprs ?? "no number of"} scalar registers`;
        return element(
            "td",
            { title: words, ...(isHere && { class: "here", "aria-current": "true" }) },
            element("span", {}, `${isHere ? "▶ " : ""}${step.vgprs}`),
            element("small", {}, `S ${step.sgprs ?? "–"}`),
        );
    });
    return [name, ...places, element("td", { class: "advice" }, advice(chip))];
}

/** What limits the waves, and what would give one more. */
function advice({ limiter, relief, vgprs, sgprs }: ChipCosts): string {
    const limit = limits[limiter] ?? limiter;
    if (relief === null) {
        return `${limit}; ${vgprs.spare} VGPRs and ${sgprs.spare} SGPRs free`;
    }
    const parts = [
        [relief.vgprs, "VGPRs"],
        [relief.sgprs, "SGPRs"],
        [relief.lds, "bytes of LDS"],
    ].filter(([amount]) => amount !== 0);
    return `${limit}; ${parts.map(([amount, unit]) => `${amount} ${unit}`).join(" and ")} fewer give ${relief.waves}`;
}
