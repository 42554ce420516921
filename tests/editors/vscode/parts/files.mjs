// Files of every kind: binaries as text, assembly with its macros, names that
// belong to many machines, files that are begun.
import assert from "node:assert/strict";
import { eventually, hovered, repeatedly } from "../editor.mjs";

export async function files(stage) {
    const { page, step } = stage;
    const languageOf = () => stage.statusItem("status.editor.mode").innerText();
    const close = () => stage.closeEditor();

    await step("a file of tokens opens as text, with the services of text", async () => {
        await stage.pickFile("binary.tgsib");
        const decoded = stage.editor("binary.tgsib.tgsi");
        await eventually(
            "its text",
            () => decoded.text(),
            (text) => text.includes("TEX TEMP"),
        );
        await stage.figures(decoded);
        assert.equal(await page.locator('.tab[data-resource-name="binary.tgsib"]').count(), 0, "the tab of the file");
        await close();
    });

    await step("a code object opens as a listing", async () => {
        await stage.pickFile("object.co");
        const listing = stage.editor("object.co.gcn");
        await eventually(
            "its text",
            () => listing.text(),
            (text) => /s_mov_b32 s0, 0x1234/.test(text),
        );
        await close();
    });

    await step("a bundle opens as a listing, and another of its code objects beside it", async () => {
        await stage.pickFile("bundle.hipfb");
        const listing = stage.editor("bundle.hipfb.gcn");
        await eventually(
            "its text",
            () => listing.text(),
            (text) => /entry 2 of 4: hipv4-amdgcn-amd-amdhsa--gfx900/.test(text),
        );
        await stage.pickFrom("Tungsten: Open Another Code Object of This File", "The code object to open", "gfx908");
        const other = stage.editor("bundle.hipfb.4.gcn");
        await eventually(
            "the other",
            () => other.text(),
            (text) => /entry 4 of 4: hipv4-amdgcn-amd-amdhsa--gfx908/.test(text),
        );
        await close();
        await close();
    });

    await step("a kernel in assembly is judged, explained and expanded with what it includes", async () => {
        const kernel = await stage.open("kernel.gcn");
        const squiggles = kernel.root.locator(".squiggly-error");
        await eventually(
            "one error",
            () => squiggles.count(),
            (count) => count === 1,
        );

        const branch = kernel.word("s_branch start", "s_branch");
        await hovered(page, "its page", branch, (texts) => texts.join().includes("gfx803"));

        await kernel.clickLine("twice 3");
        await page.keyboard.press("Home");
        await stage.runCommand("Tungsten: Show What a Macro Expands To");
        const expansion = stage.editor("twice expanded.gcn");
        await eventually(
            "the expansion",
            () => expansion.text(),
            (text) => /v_add_f32 v3, v3, v3/.test(text),
        );
        await kernel.clickLine("twice 3");
        await page.keyboard.press("End");
        await page.keyboard.type("1");
        await eventually(
            "it follows",
            () => expansion.text(),
            (text) => /v_add_f32 v31, v31, v31/.test(text),
        );
        await page.keyboard.press("Control+z");
        await eventually(
            "and back",
            () => expansion.text(),
            (text) => /v_add_f32 v3, v3, v3/.test(text),
        );
        await expansion.root.click({ position: { x: 300, y: 300 } });
        await close();

        await kernel.clickLine("twice 3");
        await page.keyboard.press("Home");
        const included = stage.editor("macros.inc");
        const isThere = (text) => text.includes(".macro twice");
        await repeatedly(
            "the macro",
            () => page.keyboard.press("F12"),
            () => included.text(),
            isThere,
        );
        await close();
    });

    await step("a label is renamed where it stands and where it is jumped to", async () => {
        const kernel = stage.editor("kernel.gcn");
        await stage.rename(kernel.word("start:", "start"), "again");
        await eventually(
            "both",
            () => kernel.text(),
            (text) => /^again:/m.test(text) && text.includes("s_branch again"),
        );
        await stage.runCommand("File: Revert File");
        await close();
    });

    await step("a file whose name belongs to many machines is ours by what it holds", async () => {
        for (const [name, isOurs] of [
            ["ours.s", true],
            ["ours.asm", true],
            ["ours.isa", true],
            ["chooses.s", true],
            ["foreign.s", false],
        ]) {
            const file = await stage.open(name);
            await eventually(
                `the language of ${name}`,
                languageOf,
                (language) => language.includes("AMD GCN assembly") === isOurs,
            );
            assert.equal(file.name, name);
            await close();
        }
    });

    /** The errors that are underlined in an editor. */
    const errorsOf = (file) => file.root.locator(".squiggly-error").count();

    for (const [extension, language] of [
        ["rs", "Rust"],
        ["go", "Go"],
        ["c", "C"],
    ]) {
        await step(`a source of ${language} shows what is wrong in its shader, and keeps its language`, async () => {
            const source = await stage.open(`shader.${extension}`);
            await eventually(
                "one error",
                () => errorsOf(source),
                (count) => count === 1,
            );
            // Letters of a string are one element: the place of the word is that of its mark.
            const mark = { hover: () => source.root.locator(".squiggly-error").hover({ force: true }) };
            const times = (texts) => texts.join().split("did you mean").length - 1;
            await hovered(page, "the fault", mark, (texts) => times(texts) === 1);
            // The answers about the workspace come later, and do not say it again.
            await page.waitForTimeout(3000);
            await hovered(page, "the fault, once", mark, (texts) => times(texts) === 1);
            assert.equal(await languageOf(), language);
            await stage.picture(`source-with-shader-${extension}`);
            await close();
            const plain = await stage.open(`plain.${extension}`);
            assert.equal(await errorsOf(plain), 0);
            await close();
        });
    }

    await step("a log is offered as TGSI, and the answer is remembered", async () => {
        const first = await stage.open("driver.log");
        await page.locator(".notification-toast .monaco-button", { hasText: "Show Such Texts as TGSI" }).click();
        await eventually("its language", languageOf, (language) => language === "TGSI");
        await eventually(
            "its error",
            () => errorsOf(first),
            (count) => count === 1,
        );
        await stage.picture("log");
        await close();
        await stage.open("later.log");
        await eventually("the language of the next", languageOf, (language) => language === "TGSI");
        assert.equal(await page.locator(".notification-toast", { hasText: "holds TGSI shaders" }).count(), 0);
        await close();
    });

    /** A new file of a language, begun by a word whose completion is accepted. */
    const begin = async (language, typed, row) => {
        await stage.runCommand("File: New Untitled Text File");
        const file = stage.editor("Untitled-1");
        await eventually(
            "the new file",
            () => file.text(),
            () => true,
        );
        await stage.pickFrom("Change Language Mode", "Select Language Mode", language);
        await eventually("its language", languageOf, (now) => now === language);
        await file.root.click({ position: { x: 300, y: 100 } });
        await page.keyboard.type(typed);
        const offered = page.locator(".suggest-widget.visible .monaco-list-row", { hasText: row });
        const suggest = async () => {
            // Where it is open already, the same key would show its details.
            await page.keyboard.press("Escape");
            await page.keyboard.press("Control+Space");
        };
        await repeatedly(
            `the offer of ${row}`,
            suggest,
            () => offered.count(),
            (count) => count > 0,
        );
        await offered.first().click();
        return file;
    };
    const drop = async () => {
        await page.keyboard.press("Escape");
        await stage.runCommand("View: Revert and Close Editor");
    };

    await step("an empty file is begun with a whole shader", async () => {
        const file = await begin("TGSI", "CO", "COMP");
        await eventually(
            "the shader",
            () => file.text(),
            (text) => /CS_FIXED_BLOCK_WIDTH 64/.test(text),
        );
        await stage.figures(file);
        assert.equal(await file.root.locator(".squiggly-error").count(), 0);
        await drop();
    });

    await step("an empty file is begun with a whole kernel, whose lines become comments", async () => {
        const file = await begin("AMD GCN assembly", "ker", "kernel …");
        await eventually(
            "the kernel",
            () => file.text(),
            (text) => text.includes(".amdhsa_kernel") && text.includes("s_endpgm"),
        );
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await eventually(
            "what its first instruction costs",
            () => file.heat(),
            (marks) => marks.length > 0,
        );
        assert.equal(await file.root.locator(".squiggly-error").count(), 0);
        await file.clickLine("s_endpgm");
        await page.keyboard.press("Control+/");
        // What begins a comment in both dialects: in CLRX's, `;` parts statements.
        await eventually(
            "a comment",
            () => file.text(),
            (text) => /^\s*#\s*s_endpgm/m.test(text),
        );
        await drop();
    });
}
