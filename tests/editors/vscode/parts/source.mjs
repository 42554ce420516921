// A TGSI file as it is read and written: colours, hints, diagnostics, fixes.
import assert from "node:assert/strict";
import { eventually, hovered, repeatedly } from "../editor.mjs";

export async function source(stage) {
    const { page, step, texture, exampleLines } = stage;
    const file = stage.editor("source.tgsi");
    const squiggles = file.root.locator(".squiggly-error");

    await step("the file opens from the explorer", async () => {
        await stage.runCommand("View: Show Explorer");
        const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "source.tgsi" });
        await repeatedly(
            "the source",
            () => row.dblclick(),
            () => file.text(),
            (text) => text.includes(texture.split(",")[0]),
        );
        await page.keyboard.press("Control+b");
    });

    await step("words are coloured by the grammar", async () => {
        const words = [file.word(/^\s*(FRAG|VERT)/, /FRAG|VERT/), file.word(texture, "TEMP")];
        await eventually(
            "keyword and register differ in colour",
            () => Promise.all(words.map((word) => word.evaluate((element) => getComputedStyle(element).color))),
            ([one, other]) => one !== other,
        );
    });

    await step("a code lens tells registers and waves", () =>
        eventually(
            "the lens",
            () => file.lenses(),
            (lenses) => lenses.some((lens) => /polaris10.*VGPR/.test(lens)),
        ),
    );

    const hintOf = async (line) =>
        (await file.lines()).find(({ text }) => text.includes(line))?.text.split(line)[1] ?? "";

    await step("a line that waits tells machine instructions, clocks and registers in one hint", async () => {
        await eventually(
            "the hint",
            () => hintOf(texture),
            (hint) => /^\d+ GCN · \d+\+\d+ clk · V \d+\/\d+$/.test(hint.trim()),
        );
        const hints = (await file.lines()).filter(({ text }) => /\d GCN/.test(text));
        const instructions = (await file.lines()).filter(({ text }) => /^\s*\d+: /.test(text));
        assert(hints.length * 2 < instructions.length, `${hints.length} hints at ${instructions.length} lines`);
        assert(
            hints.every(({ text }) => !text.includes("…")),
            "no hint is cut",
        );
        await stage.picture("first-screen");
    });

    await step("hovering the hint shows the machine code of the line", async () => {
        const hint = file.word(texture, "GCN");
        await hovered(page, "the tooltip", hint, (texts) => texts.join().includes("image_sample"));
        await stage.picture("hint-tooltip");
        await page.keyboard.press("Escape");
        await page.mouse.move(700, 880);
    });

    await step("one setting shows hints at every line, or at none", async () => {
        const count = async () => (await file.lines()).filter(({ text }) => /\d GCN/.test(text)).length;
        const few = await count();
        await stage.useSettings({ "tungsten.inlayHints.lines": "all" });
        await eventually("more hints", count, (now) => now > 2 * few);
        await stage.useSettings({ "tungsten.inlayHints.lines": "off" });
        await eventually("none", count, (now) => now === 0);
        await stage.useSettings({});
        await eventually("few again", count, (now) => now === few);
    });

    await step("a good shader has no error", async () => {
        assert.equal(await squiggles.count(), 0);
    });

    await step("hovering an opcode explains it", async () => {
        await hovered(page, "the hover", file.word(texture, "TEX"), (texts) => texts.join().includes("TEX"));
        await page.keyboard.press("Escape");
        await page.mouse.move(700, 880);
    });

    await step("a misspelt opcode is fixed by its quick fix", async () => {
        const line = stage.instruction("RCP");
        await file.clickLine(line);
        const misspelt = line.replace("RCP", "RCPP");
        await page.keyboard.press("Home");
        for (let at = 0; at < line.indexOf("RCP") + 3; at += 1) {
            await page.keyboard.press("ArrowRight");
        }
        await page.keyboard.type("P");
        await page.keyboard.press("Escape");
        await eventually(
            "the diagnostic",
            () => squiggles.count(),
            (count) => count > 0,
        );
        assert((await file.text()).includes(misspelt), await file.text());
        await hovered(page, "the diagnostic's hover", file.word(misspelt, "RCPP"), (texts) =>
            texts.join().includes("unknown-opcode"),
        );
        await page.locator(".monaco-hover:visible a.code-link").first().click();
        const tabs = () => page.locator(".tab").evaluateAll((all) => all.map((tab) => tab.dataset.resourceName));
        await eventually("the page", tabs, (names) => names.includes("unknown-opcode.md"));
        // A frame may be gone before it is read.
        const read = (frame) =>
            frame
                .locator("h1")
                .allInnerTexts()
                .catch(() => []);
        const headings = async () => (await Promise.all(page.frames().map(read))).flat();
        await eventually("its heading", headings, (found) => found.includes("tgsi::unknown-opcode"));
        await stage.picture("page");
        await stage.runCommand("View: Close Editor");
        await file.clickLine(misspelt);
        const fix = page.locator(".action-widget .monaco-list-row", { hasText: "RCP" });
        const isFixed = (text) => text.includes(line) && !text.includes(misspelt);
        const choose = async () => {
            if (!isFixed(await file.text())) {
                await repeatedly(
                    "the fix",
                    () => page.keyboard.press("Control+."),
                    () => fix.count(),
                    (count) => count > 0,
                );
                await fix
                    .first()
                    .click({ timeout: 5_000 })
                    .catch(() => undefined); // The menu is gone again.
            }
        };
        await repeatedly("the fixed line", choose, () => file.text(), isFixed);
        await eventually(
            "no diagnostic",
            () => squiggles.count(),
            (count) => count === 0,
        );
    });

    await step("a register is renamed wherever it stands", async () => {
        // Those that name it, and its declaration, which it shared with others.
        const wanted = exampleLines.filter((line) => line.includes("TEMP[4]")).length + 1;
        await stage.rename(file.word(texture, "TEMP"), "TEMP[9]");
        const renamed = (text) => text.split("\n").filter((line) => line.includes("TEMP[9]")).length;
        await eventually(
            "the new name",
            () => file.text(),
            (text) => renamed(text) === wanted && !text.includes("TEMP[4]"),
        );
        await page.keyboard.press("Control+z");
        await eventually(
            "the old name",
            () => file.text(),
            (text) => renamed(text) === 0,
        );
    });

    await step("lines become comments, and brackets close themselves", async () => {
        await file.clickLine(texture);
        await page.keyboard.press("Control+/");
        await eventually(
            "a comment",
            () => file.text(),
            (text) => /^\/\/\s*21: TEX/m.test(text),
        );
        await page.keyboard.press("Control+/");
        await page.keyboard.press("End");
        await page.keyboard.press("Enter");
        await page.keyboard.type("MOV OUT[0");
        await eventually(
            "its pair",
            () => file.text(),
            (text) => text.includes("MOV OUT[0]"),
        );
        await stage.runCommand("File: Revert File");
        await eventually(
            "as it was",
            () => file.text(),
            (text) => !text.includes("MOV OUT[0]\n"),
        );
    });

    await step("a shader with inputs shows what each line wrote", async () => {
        const values = await stage.open("values.tgsi");
        await eventually(
            "the texel that was fetched",
            async () => (await values.lines()).find((line) => line.text.includes(texture))?.text ?? "",
            (text) => /-?\d+\.\d+/.test(text.split(texture)[1] ?? ""),
        );
        await stage.closeEditor();
    });
}
