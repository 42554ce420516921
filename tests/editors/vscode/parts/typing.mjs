// A line that is typed letter by letter below a mistake: the mistake stays shown in every
// frame, and nothing is shown on any other line.
import assert from "node:assert/strict";
import { eventually } from "../editor.mjs";

/** Its line 7 names a register that is not declared. */
export const typingShader = `FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL TEMP[0..1]
  0: TEX TEMP[0], IN[0], SAMP[0], 2D
  1: MUL TEMP[0], TEMP[0], TEMP[5]
  2: MOV TEMP[1], TEMP[0]
  3: MOV OUT[0], TEMP[1]
  4: END
`;
const mistake = "1: MUL TEMP[0]";
const before = "2: MOV TEMP[1]";
const typed = "ADD TEMP[1], TEMP[1], IN[0].xxxx";

export async function typing(stage) {
    const { page, step } = stage;
    let file;

    await step("a mistake is underlined", async () => {
        file = await stage.open("typing.tgsi");
        await eventually(
            "the mistake",
            () => file.root.locator(".squiggly-error").count(),
            (count) => count === 1,
        );
        assert((await file.text()).includes(mistake));
    });

    await step("it stays at every letter of a line below, and nothing joins it", async () => {
        await file.clickLine(before);
        await page.keyboard.press("End");
        await page.keyboard.press("Enter");
        // How much is underlined above and below the cursor's line, in each frame.
        await file.root.evaluate((root) => {
            window.typingFrames = [];
            const look = () => {
                const cursor = root.querySelector(".cursors-layer > .cursor").getBoundingClientRect();
                const underlined = [...root.querySelectorAll(".squiggly-error, .squiggly-warning, .squiggly-hint")];
                const tops = underlined.map((element) => element.getBoundingClientRect().top);
                const above = tops.filter((top) => top < cursor.top - 4).length;
                const below = tops.filter((top) => top > cursor.bottom - 4).length;
                window.typingFrames.push(`${above} above, ${below} below`);
                window.typingLook = requestAnimationFrame(look);
            };
            look();
        });
        for (const letter of typed) {
            await page.keyboard.type(letter);
            await page.waitForTimeout(120);
        }
        await page.keyboard.press("Escape");
        await eventually(
            "the whole line",
            () => file.text(),
            (text) => text.includes(typed),
        );
        await eventually(
            "the mistake alone",
            () => file.root.locator(".squiggly-error").count(),
            (count) => count === 1,
        );
        await stage.picture("typing");
        const frames = await page.evaluate(() => {
            cancelAnimationFrame(window.typingLook);
            return window.typingFrames;
        });
        assert(frames.length > typed.length, `${frames.length} frames`);
        const others = frames.filter((shown) => shown !== "1 above, 0 below");
        assert.equal(others.length, 0, `${others.length} of ${frames.length} frames show ${others[0]}`);
        await stage.runCommand("File: Revert File");
    });
}
