// Compiled code beside its source: live, linked both ways, kept through errors.
import assert from "node:assert/strict";
import { eventually, hovered } from "../editor.mjs";
import { holds, machineCode } from "../stage.mjs";

export async function compiled(stage) {
    const { page, step, texture, linkedColour, exampleLines } = stage;
    let source;
    const code = stage.editor(".gcn");

    await step("the lens opens the machine code beside the source", async () => {
        source = await stage.open("compiled.tgsi");
        await stage.figures(source);
        await source.root.locator(".codelens-decoration a").first().click();
        await eventually(
            "machine code",
            () => code.text(),
            (text) => machineCode.test(text),
        );
        assert.equal(await stage.groups(), 2);
    });

    await step("the cursor's line has its machine code marked", async () => {
        await source.clickLine(texture);
        const marked = await eventually(
            "that of the fetch",
            () => code.linked(linkedColour),
            (lines) => holds(lines, "image_sample"),
        );
        assert(!holds(marked, "exp "), "an export does not come from a texture fetch");
        const isAlone = (own) => own.length === 1 && own[0].text.includes(texture);
        await eventually("its own line alone", () => source.linked(linkedColour), isAlone);
        await stage.picture("compiled");
    });

    await step("machine code out of sight is brought into sight", async () => {
        const output = exampleLines.findLast((line) => /^\s*(\d+:\s*)?MAD OUT\[0\]/.test(line)).trim();
        assert(!(await code.text()).includes(`; ${output}`), "it is in sight already");
        await source.clickLine(output);
        await eventually(
            "its machine code",
            () => code.linked(linkedColour),
            (lines) => holds(lines, `; ${output}`),
        );
    });

    await step("a click into the machine code marks its source line", async () => {
        // Each run of machine code has its statement above it, as a comment.
        const others = (await code.lines())
            .map((line) => line.text.match(/^\s*; (\d+: .*\S)/)?.[1])
            .filter((statement) => statement !== undefined && !texture.includes(statement));
        assert(others.length > 0, "only the texture fetch has machine code in sight");
        const statement = others[Math.floor(others.length / 2)];
        await code.clickLine(statement);
        const isOnlyOne = (lines) => lines.length === 1 && lines[0].text.includes(statement);
        await eventually("the marked source line", () => source.linked(linkedColour), isOnlyOne);
    });

    await step("a syntax error is shown at once and the code is kept, marked as old", async () => {
        await source.clickLine(texture);
        await page.keyboard.press("Home");
        await page.keyboard.press("Home");
        const tabColour = () => code.tab.locator(".label-name").evaluate((label) => getComputedStyle(label).color);
        const plainTab = await tabColour();
        await page.keyboard.type("BOGUS ");
        await eventually(
            "the squiggle",
            () => source.root.locator(".squiggly-error").count(),
            (count) => count > 0,
        );
        const lines = await eventually(
            "the old code, faint",
            () => code.lines(),
            (seen) => seen.some((line) => line.faint),
        );
        await eventually(
            "what it is of",
            () => code.lenses(),
            (lenses) => lenses.some((lens) => lens.includes("out of date")),
        );
        assert.match(lines.map((line) => line.text).join("\n"), machineCode);
        await eventually("the tab's colour", tabColour, (colour) => colour !== plainTab);
        await stage.picture("error");
    });

    await step("undoing it brings everything back", async () => {
        while (await page.locator('.tab.active.dirty[data-resource-name="compiled.tgsi"]').count()) {
            await page.keyboard.press("Control+z");
        }
        await eventually(
            "no squiggle",
            () => source.root.locator(".squiggly-error").count(),
            (count) => count === 0,
        );
        const isCurrent = (seen) => seen.length > 3 && seen.every((line) => !line.faint);
        await eventually("current code", () => code.lines(), isCurrent);
        await eventually(
            "what it is of",
            () => code.lenses(),
            (lenses) => lenses.some((lens) => lens.includes("up to date")),
        );
    });

    await step("an edit changes the machine code, live", async () => {
        await stage.writeCosine(source);
        await code.root.click({ position: { x: 300, y: 300 } });
        await page.keyboard.press("Control+End");
        await eventually(
            "a cosine",
            () => code.text(),
            (text) => text.includes("v_cos_f32"),
        );
    });

    await step("machine code is explained where it is shown, and its hints say what it costs", async () => {
        const cosine = code.word("v_cos_f32", "v_cos_f32");
        await hovered(page, "its page", cosine, (texts) => texts.join().includes("VOP1"));
        await page.keyboard.press("Escape");
        await eventually(
            "a hint where it waits",
            async () => (await code.lines()).filter((line) => line.text.includes("s_waitcnt")).map(({ text }) => text),
            (texts) => texts.some((text) => /\d+\+\d+ clk · V \d+\/\d+/.test(text)),
        );
    });

    await step("another chip's code takes its place", async () => {
        await stage.pickFrom("Tungsten: Compile for Another Chip", "chip", "tahiti");
        await eventually(
            "the tab",
            () => code.tab.innerText(),
            (title) => title.includes("tahiti"),
        );
        await eventually(
            "machine code",
            () => code.text(),
            (text) => machineCode.test(text),
        );
        await eventually(
            "the status bar",
            () => stage.statusItem("tungsten.status").innerText(),
            (text) => text.includes("tahiti"),
        );
    });
}
