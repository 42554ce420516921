// Code that was pinned, compared with what the shader becomes after an edit.
import assert from "node:assert/strict";
import { Editor, eventually } from "../editor.mjs";

export async function baseline(stage) {
    const { page, step, texture } = stage;
    let source;
    const code = stage.view("polaris10", "gcn");
    /** What the header says of the pin. The header is at the top, and the code follows the cursor. */
    const pinned = async () => {
        await code.scrollToTop();
        const [state, ...more] = await code.lenses();
        assert.match(state, /date/);
        return more.slice(1).join(" ");
    };

    await step("pinned code stays to be compared with, and its header tells what changed", async () => {
        source = await stage.open("baseline.tgsi");
        await stage.figures(source);
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Open Compiled Code");
        await eventually(
            "code",
            () => code.text(),
            (text) => text.includes("image_sample"),
        );
        await stage.runCommand("Tungsten: Pin the Compiled Code to Compare With");
        await eventually("that it is pinned", pinned, (words) => words.includes("figures as pinned"));
        await stage.writeCosine(source);
        await eventually(
            "the cosine",
            () => code.text(),
            (text) => text.includes("v_cos_f32"),
        );
        await eventually("what changed", pinned, (words) => /(clocks|instructions) \d+ → \d+/.test(words));
    });

    await step("the comparison is the editor's own, of instructions alone, and live", async () => {
        await stage.runCommand("Tungsten: Compare with the Pinned Code");
        const [before, now] = ["original", "modified"].map((side) => Editor.ofDifference(page, side));
        const marked = (editor, kind) => async () =>
            (await editor.lines())
                .filter((line) => line.behind.some(({ names }) => names.includes(kind)))
                .map(({ text }) => text);
        await now.root.click({ position: { x: 300, y: 200 } });
        await page.keyboard.press("Control+End");
        const added = await eventually("the cosine, as new", marked(now, "line-insert"), (lines) =>
            lines.some((text) => text.includes("v_cos_f32")),
        );
        assert(
            added.every((text) => !text.includes("image_sample")),
            `the fetch did not change: ${added}`,
        );
        assert(!(await before.text()).includes("v_cos_f32"), "what was pinned stays as it was");
        await stage.picture("comparison");
    });

    await step("unpinned, the header speaks of the present alone", async () => {
        await stage.closeEditor();
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Unpin the Compiled Code");
        await eventually("nothing of it", pinned, (words) => words === "");
    });
}
