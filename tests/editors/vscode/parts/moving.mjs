// The moving picture of the README: an opcode is replaced, and the machine code beside it
// follows. Not part of a run; asked for with the pictures.
import { mkdir, rm } from "node:fs/promises";
import * as path from "node:path";
import { eventually, hovered } from "../editor.mjs";
import { holds } from "../stage.mjs";
import { plainWindow } from "./pictures.mjs";

/** How long a key is seen, in milliseconds. */
const KEY = 350;
/** How long it takes to read what changed, in milliseconds. */
const READING = 2200;

export async function moving(stage) {
    const { page, step } = stage;
    const folder = new URL("../../../../artefacts/moving/", import.meta.url).pathname;
    const code = stage.view("polaris10", "gcn");
    let count = 0;
    const frame = async (duration) => {
        count += 1;
        const name = `${String(count).padStart(2, "0")}-${duration}.png`;
        await page.screenshot({ path: path.join(folder, name), caret: "initial", animations: "disabled" });
    };
    const compiled = (what, word, wanted) =>
        eventually(
            what,
            async () => holds(await code.lines(), word),
            (found) => found === wanted,
        );

    await step("an opcode is replaced, and the machine code follows", async () => {
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder, { recursive: true });
        await page.setViewportSize({ width: 1180, height: 700 });
        await stage.useSettings(plainWindow);
        const source = await stage.open("lit_texture.tgsi");
        if (await page.locator(".part.sidebar").isVisible()) {
            await page.keyboard.press("Control+b");
        }
        await stage.figures(source);
        const pow = stage.instruction("POW");
        await source.clickLine(pow);
        await stage.runCommand("Tungsten: Open Compiled Code");
        await compiled("the code of POW", "v_log_f32", true);
        await source.word(pow, "POW").dblclick();
        await page.waitForTimeout(700);
        await frame(READING);
        for (const letter of "MUL") {
            await page.keyboard.type(letter);
            await page.keyboard.press("Escape");
            await page.waitForTimeout(KEY);
            await frame(KEY);
        }
        await compiled("the code of MUL", "v_log_f32", false);
        await page.waitForTimeout(700);
        await frame(READING);
        const texture = stage.instruction("TEX");
        await source.clickLine(texture);
        await eventually(
            "the link",
            () => code.linked(stage.linkedColour),
            (lines) => holds(lines, "image_sample"),
        );
        await frame(READING);
        await hovered(page, "the hover", source.word(texture, "TEX"), (texts) => texts.join().includes("TEX"));
        await page.waitForTimeout(700);
        await frame(READING);
    });
}
