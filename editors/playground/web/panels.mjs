// What is shown beside the editor.
import { element, table } from "./elements.mjs";

/** The problems, each with its fixes. */
export function problems(parent, found, source, { goTo, applyFix }) {
    const items = found.map((problem) => {
        const line = source.slice(0, problem.from).split("\n").length;
        const place = element("a", { href: "#", textContent: `line ${line}` });
        place.onclick = (event) => {
            event.preventDefault();
            goTo(problem.from);
        };
        const page = `../diagnostics/${problem.code.replace("::", "-")}.html`;
        const code = element("a", { href: page, textContent: problem.code });
        const fixes = problem.fixes.map((fix) =>
            element("button", { textContent: fix.title, onclick: () => applyFix(fix) }),
        );
        const where = element("small", {}, place, " · ", code);
        return element("div", { className: `problem ${problem.severity}` }, problem.message, where, ...fixes);
    });
    const none = element("p", { className: "note" }, "No problems.");
    parent.replaceChildren(...(items.length ? items : [none]));
}

/** The values of a run: by line, component and lane. */
export function values(parent, run, source) {
    if (run.error) {
        const line = run.line === null ? "" : `Line ${run.line + 1}: `;
        parent.replaceChildren(element("p", { className: "fault" }, line + run.error));
        return;
    }
    const lines = source.split("\n");
    const rows = run.outputs.flatMap(({ name, values: all }) =>
        all.map(([component, ...lanes]) => ({ cells: [`${name}.${component}`, ...lanes] })),
    );
    const steps = run.steps.flatMap(({ line, values: all }) => [
        { className: "start", cells: [`${line + 1}  ${lines[line]?.trim() ?? ""}`] },
        ...all.map(([component, ...lanes]) => ({ cells: [`.${component}`, ...lanes] })),
    ]);
    const head = ["", "lane 0", "lane 1", "lane 2", "lane 3"];
    const killed = run.killed.length ? `Killed: lane ${run.killed.join(", ")}.` : "";
    const notes = [killed, run.cut ? "The run went on; its first steps are shown." : ""].filter(Boolean);
    parent.replaceChildren(
        ...notes.map((note) => element("p", { className: "note" }, note)),
        ...(rows.length ? [element("h2", {}, "Outputs"), table(head, rows)] : []),
        element("h2", {}, "Line by line"),
        table(head, steps),
    );
    for (const cell of parent.querySelectorAll(".start td")) cell.colSpan = 5;
}

/** The values after each line for one lane: those that it wrote last. */
export function valuesOfLane(run, lane) {
    const shown = new Map();
    for (const { line, values: all } of run.steps ?? []) {
        const written = all.filter(([, ...lanes]) => lanes[lane] !== "–");
        if (written.length) shown.set(line, written.map(([name, ...lanes]) => `${name} ${lanes[lane]}`).join("  "));
    }
    return shown;
}

/** Machine code and costs of assembly. */
export function costs(parent, code, kernels, source) {
    const lines = source.split("\n");
    const costly = new Map(kernels.flatMap((kernel) => kernel.lines.map((cost) => [cost.line, cost])));
    const sums = kernels.flatMap(({ name, chips }) =>
        chips.map((chip) =>
            element(
                "p",
                {},
                element("strong", {}, name),
                ` on ${chip.target}: ${chip.waves} waves, ${chip.vgprs.used} VGPRs, ${chip.sgprs.used} SGPRs, ${chip.clocks} clocks`,
            ),
        ),
    );
    const rows = code.map(({ line, offset, words }) => {
        const cost = costly.get(line);
        const clocks = cost ? `${cost.issue}+${cost.stall}` : "";
        const registers = cost ? String(cost.vgprs) : "";
        return { cells: [offset.toString(16).padStart(4, "0"), words, clocks, registers, lines[line]?.trim() ?? ""] };
    });
    const note = element(
        "p",
        { className: "note" },
        "Clocks of issue and of stall of one wave alone; V: vector registers that are live. ",
        element("a", { href: "../figures.html", textContent: "How figures are made" }),
    );
    parent.replaceChildren(...sums, table(["", "words", "clocks", "V", ""], rows), note);
}

/** Code that was compiled when the site was made. */
export function compiled(parent, example, chip, isEdited) {
    const text = example?.compiled?.[chip];
    const explanation =
        "No compiler runs in the browser. For the examples, libLLVM compiled the code when this site was made";
    if (!text) {
        const chips = Object.keys(example?.compiled ?? {});
        const where = chips.length ? ` for ${chips.join(", ")}` : "";
        const rest = example
            ? `${where}. Choose one of these chips, or run tungsten compile FILE --target ${chip}.`
            : ". Your own shader is compiled by: tungsten compile FILE";
        parent.replaceChildren(element("p", { className: "note" }, explanation + rest));
        return;
    }
    const edited = isEdited ? " This is the example as it was, not your text." : "";
    parent.replaceChildren(
        element("p", { className: "note" }, `${explanation}.${edited}`),
        element("pre", { tabIndex: 0 }, text),
    );
}
