// Steps on the views of compiled code: colours, IR, bytes, two chips beside each
// other.
import assert from "node:assert/strict";
import * as path from "node:path";
import { Editor, eventually } from "./editor.mjs";

/** Begins with a copy of the example that nobody has changed, and nothing else open. */
async function openFresh({ page, runCommand, useSettings, server }, name) {
    await useSettings({ "tungsten.server.path": server, "tungsten.targets": ["polaris10", "tahiti"] });
    await runCommand("File: Save All Files");
    await runCommand("View: Close All Editors");
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input").fill(name);
    await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
}

const isLinked = (lines, text) => lines.some((line) => line.text.includes(text));

/** @param stage the page, its tools and the places of `run.mjs` */
export async function views(stage) {
    const { page, step, runCommand, artefacts, linkedColour, texture } = stage;
    const source = new Editor(page, "views.tgsi");
    const code = new Editor(page, "polaris10.gcn");
    const second = new Editor(page, "tahiti.gcn");
    const chipsColour = (text) => eventually(`a colour of ${text}`, () => code.edges(text), (edges) => edges.length > 0);

    await step("lines that belong together have one colour", async () => {
        await openFresh(stage, "views.tgsi");
        await eventually("the source", () => source.text(), (text) => text.includes(texture));
        await source.clickLine(texture);
        await runCommand("Tungsten: Open Compiled Code");
        const fetch = await chipsColour("image_sample");
        await eventually("the same", () => source.edges(texture), (edges) => edges[0] === fetch[0]);
        const all = await source.edges(":");
        assert(new Set(all).size > 3, `several colours: ${all}`);
        await runCommand("Tungsten: Change How Lines Are Coloured");
        await eventually("none at the edge", () => source.edges(texture), (edges) => edges.length === 0);
        const behind = () => source.lines().then((lines) => lines.filter(({ behind }) => behind.some(({ colour }) => colour.endsWith("0.18)"))));
        await eventually("behind the lines", behind, (lines) => lines.length > 3);
        await runCommand("Tungsten: Change How Lines Are Coloured");
        await eventually("nowhere", behind, (lines) => lines.length === 0);
        await runCommand("Tungsten: Change How Lines Are Coloured");
        await chipsColour("image_sample");
    });

    await step("the IR and the bytes are views of the same shader, linked to it", async () => {
        await source.clickLine(texture);
        await runCommand("Tungsten: Show the LLVM IR");
        const ir = new Editor(page, "polaris10.ll");
        await eventually("IR", () => ir.text(), (text) => /%v\d+ = /.test(text));
        await eventually("its lines of the fetch", () => ir.linked(linkedColour), (lines) => isLinked(lines, "image.sample"));
        await runCommand("Tungsten: Show the Bytes");
        const bytes = new Editor(page, "polaris10.hex");
        await eventually("bytes", () => bytes.text(), (text) => /^[0-9A-F]{6}  ([0-9A-F]{2} )+/m.test(text));
        await eventually("its line of the fetch", () => bytes.linked(linkedColour), (lines) => isLinked(lines, "image_sample"));
        assert.equal(await page.locator(".editor-group-container").count(), 2);
    });

    await step("two chips stand beside each other, and one cursor marks both", async () => {
        await source.clickLine(texture);
        await runCommand("Tungsten: Open Compiled Code");
        await eventually("the first chip", () => code.text(), (text) => text.includes("s_mov"));
        await code.clickLine("s_");
        await runCommand("Tungsten: Compile for a Second Chip Beside");
        await page.locator('.quick-input-widget input[placeholder*="chip"]').fill("tahiti");
        await page.locator(".quick-input-list .monaco-list-row", { hasText: "tahiti" }).first().click();
        await eventually("the second chip", () => second.text(), (text) => text.includes("tahiti"));
        assert.equal(await page.locator(".editor-group-container").count(), 3);
        await source.clickLine(texture);
        for (const chip of [code, second]) {
            await eventually("the fetch", () => chip.linked(linkedColour), (lines) => isLinked(lines, "image_sample"));
        }
        await page.screenshot({ path: path.join(artefacts, "vscode-side-by-side.png") });
        const other = (await second.lines()).map((line) => line.text.match(/^\s*; (\d+: .*\S)/)?.[1]).find((it) => it && !texture.includes(it));
        await second.clickLine(other);
        await eventually("the source line", () => source.linked(linkedColour), (lines) => isLinked(lines, other));
        await eventually("the first chip's", () => code.linked(linkedColour), (lines) => isLinked(lines, other));
        await page.keyboard.press("Control+w");
        await eventually("two groups", () => page.locator(".editor-group-container").count(), (count) => count === 2);
    });
}
