// Find a Faster Form: searched in the background, shown beside the source, applied as an edit.
import assert from "node:assert/strict";
import { Editor, eventually } from "../editor.mjs";

export async function advice(stage) {
    const { page, step } = stage;
    const message = (words) => page.locator(".notification-list-item", { hasText: words });
    let kernel;
    let before;

    await step("a search can be cancelled, and typing goes on beside it", async () => {
        kernel = await stage.open("slow.gcn");
        await eventually(
            "figures of slow.gcn",
            // Those of a kernel are no link.
            () => kernel.root.locator(".codelens-decoration").allInnerTexts(),
            (texts) => /VGPR/.test(texts.join()),
        );
        before = await kernel.text();
        await kernel.clickLine("v_mov_b32");
        await stage.runCommand("Tungsten: Find a Faster Form");
        const display = message("Searching for a faster form");
        await eventually(
            "how far it is",
            () => display.allInnerTexts(),
            (texts) => /\d+ variants, best \d+ waves, \d+ clocks/.test(texts.join()),
        );
        await kernel.clickLine("v_mov_b32");
        await page.keyboard.press("Home");
        await page.keyboard.type("  s_nop 0\n");
        await eventually(
            "what was typed",
            () => kernel.text(),
            (text) => text.includes("s_nop 0"),
        );
        assert.equal(await display.count(), 1, "the search goes on");
        await display.getByText("Cancel", { exact: true }).click();
        await eventually(
            "its end",
            () => display.count(),
            (count) => count === 0,
        );
        await stage.runCommand("File: Revert File");
    });

    await step("what is found stands beside the source with its proof, and is applied", async () => {
        await kernel.clickLine("v_mov_b32");
        await stage.runCommand("Tungsten: Find a Faster Form");
        const found = message("the same on 32 random inputs in the emulator");
        await eventually(
            "the proof",
            () => found.allInnerTexts(),
            (texts) => /\d+ → \d+ clocks on gfx900/.test(texts.join()),
            60,
        );
        const [old, better] = ["original", "modified"].map((side) => Editor.ofDifference(page, side));
        assert((await old.text()).includes("s_waitcnt"));
        assert.notEqual(await better.text(), await old.text());
        await stage.picture("faster-form");
        await found.getByText("Apply", { exact: true }).click();
        await eventually(
            "the new text",
            () => kernel.text(),
            (text) => text !== "" && text !== before,
        );
    });

    await step("the same text is not searched again, and one undo brings it back", async () => {
        await kernel.clickLine("v_mov_b32");
        await page.keyboard.press("Control+z");
        await eventually(
            "the text of before",
            () => kernel.text(),
            (text) => text === before,
        );
        await stage.runCommand("Tungsten: Find a Faster Form");
        await eventually(
            "the same proof at once",
            () => message("the same on 32 random inputs in the emulator").count(),
            (count) => count > 0,
            15,
        );
        await stage.runCommand("Notifications: Clear All Notifications");
        await stage.closeEditor();
    });
}
