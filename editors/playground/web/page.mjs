// The page: its controls, and what follows an edit.
import { applyFix, goTo, makeEditor, showProblems, showTokens, showValues } from "./editor.mjs";
import { element } from "./elements.mjs";
import { Engine } from "./engine.mjs";
import { decode, encode } from "./link.mjs";
import * as panels from "./panels.mjs";

const $ = (id) => document.getElementById(id);
const engine = new Engine();
const timings = { first: null, edits: [], settled: false };
window.playground = { timings };

let view = null;
let examples = [];
let example = null;
let run = {};
let asked = 0;

const source = () => view.state.doc.toString();
const language = () => $("language").value;

/** Says how the engine is. */
function status(text) {
    $("status").textContent = text;
}

/** Asks the engine about the text as it is now, and shows the answers. */
async function refresh() {
    const turn = ++asked;
    timings.settled = false;
    const text = source();
    const began = engine.took;
    try {
        await engine.set(text, language(), $("chip").value);
        const found = await engine.json("diagnostics");
        if (turn !== asked) return;
        const took = engine.took - began;
        showProblems(view, found);
        panels.problems($("problems"), found, text, {
            goTo: (place) => goTo(view, place),
            applyFix: (fix) => applyFix(view, fix),
        });
        const count = (kind) => found.filter(({ severity }) => severity === kind).length;
        $("tab-problems").textContent = found.length ? `Problems (${found.length})` : "Problems";
        timings.first ??= performance.now();
        timings.edits.push(took);
        status(
            `${count("error")} errors, ${count("warning")} warnings · checked in ${took.toFixed(1)} ms, in this page`,
        );
        showTokens(view, await engine.json("tokens"));
        if (turn === asked) await refreshResults(text, turn);
        timings.settled = turn === asked;
    } catch (error) {
        status(`The engine was restarted: ${error.message}`);
    }
}

/** Runs or assembles the text. */
async function refreshResults(text, turn) {
    if (language() === "tgsi") {
        run = await engine.json("run", $("inputs").value);
        if (turn !== asked) return;
        panels.values($("values"), run, text);
        showValues(view, panels.valuesOfLane(run, Number($("lane").value)));
        panels.compiled($("code"), example, $("chip").value, example?.text !== text);
    } else {
        const code = await engine.json("machine_code");
        const costs = await engine.json("costs");
        if (turn !== asked) return;
        showValues(view, []);
        panels.costs($("code"), code, costs, text);
        await disassemble();
    }
}

async function disassemble() {
    const { text, error } = await engine.json("disassembled", $("digits").value);
    $("disassembly").textContent = text ?? error;
}

/** Shows one of the results. */
function choose(name) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
        const isChosen = tab.id === `tab-${name}`;
        tab.setAttribute("aria-selected", String(isChosen));
        tab.tabIndex = isChosen ? 0 : -1;
        $(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
}

/** Puts what belongs to a language on the page. */
function takeLanguage(wanted) {
    $("language").value = wanted;
    $("tab-run").hidden = wanted !== "tgsi";
    $("tab-bytes").hidden = wanted !== "gcn";
    const hidden = document.querySelector("[role=tab][aria-selected=true]").hidden;
    if (hidden) choose("problems");
}

/** Replaces the text and all that belongs to it. */
function take(state) {
    takeLanguage(state.language === "gcn" ? "gcn" : "tgsi");
    if ([...$("chip").options].some(({ value }) => value === state.chip)) $("chip").value = state.chip;
    $("inputs").value = state.inputs ?? "";
    example = examples.find(({ name }) => name === state.example) ?? null;
    $("example").value = example?.name ?? "";
    if (view) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: state.text } });
}

async function share() {
    const state = {
        text: source(),
        language: language(),
        chip: $("chip").value,
        inputs: $("inputs").value,
        example: example?.name,
    };
    history.replaceState(null, "", `#${await encode(state)}`);
    try {
        await navigator.clipboard.writeText(location.href);
        status("The link is in the clipboard. It holds the text itself: no server keeps it.");
    } catch {
        status("The link is in the address bar. It holds the text itself: no server keeps it.");
    }
}

function setUpTabs() {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    for (const tab of tabs) {
        tab.onclick = () => choose(tab.id.slice("tab-".length));
        tab.onkeydown = (event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (!step) return;
            const shown = tabs.filter(({ hidden }) => !hidden);
            const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
            next.focus();
            next.click();
        };
    }
}

function setUpTheme() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
    const label = () => {
        $("theme").textContent = isDark() ? "Light" : "Dark";
    };
    $("theme").onclick = () => {
        document.documentElement.dataset.theme = isDark() ? "light" : "dark";
        try {
            localStorage.setItem("theme", document.documentElement.dataset.theme);
        } catch {
            // The choice then lasts as long as the page.
        }
        label();
    };
    label();
}

async function start() {
    setUpTabs();
    setUpTheme();
    const [data, linked] = await Promise.all([
        fetch("examples.json").then((answer) => answer.json()),
        decode(location.hash.slice(1)),
    ]);
    examples = data.examples;
    $("chip").append(...data.chips.map((chip) => element("option", { value: chip }, chip)));
    $("example").append(
        element("option", { value: "" }, "your own"),
        ...examples.map(({ name }) => element("option", { value: name }, name)),
    );
    const first = linked ?? { ...examples[0], example: examples[0].name, chip: "polaris10" };
    take(first);
    view = makeEditor($("editor"), first.text, engine, refresh);
    await refresh();
    // What there is to see first: the problems, or else what the text does.
    if (!document.querySelector(".problem")) choose(language() === "tgsi" ? "run" : "code");
    $("example").onchange = () => {
        const chosen = examples.find(({ name }) => name === $("example").value);
        if (chosen) take({ ...chosen, example: chosen.name, chip: $("chip").value });
    };
    $("language").onchange = () => {
        takeLanguage(language());
        refresh();
    };
    for (const id of ["chip", "lane"]) $(id).onchange = refresh;
    $("inputs").oninput = refresh;
    $("digits").oninput = disassemble;
    $("take").onclick = async () => {
        const { text } = await engine.json("disassembled", $("digits").value);
        if (text) take({ text, language: "gcn", chip: $("chip").value });
    };
    $("format").onclick = async () => {
        const formatted = await engine.ask("formatted");
        if (formatted !== source()) {
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: formatted } });
        }
    };
    $("share").onclick = share;
    addEventListener("hashchange", async () => {
        const state = await decode(location.hash.slice(1));
        if (state) take(state);
    });
    // Once it was opened, the page needs no network.
    navigator.serviceWorker?.register("offline.js").catch(() => {});
}

start().catch((error) => status(`The page could not start: ${error.message}`));
