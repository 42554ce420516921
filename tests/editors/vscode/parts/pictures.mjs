// The pictures of the READMEs: the extension as a user sees it, in a window of a
// page's width and without what is not of it. Not part of a run; asked for by name.
import { rm } from "node:fs/promises";
import * as path from "node:path";
import { Editor, eventually, hovered } from "../editor.mjs";
import { holds } from "../stage.mjs";
import { panelFrame } from "./panel.mjs";

export const plainWindow = {
    "tungsten.targets": ["polaris10", "tahiti", "vega10"],
    "workbench.activityBar.location": "hidden",
    "workbench.layoutControl.enabled": false,
    "workbench.sideBar.visible": false,
    "breadcrumbs.enabled": false,
    "editor.fontSize": 13,
    "editor.lineHeight": 18,
    "editor.glyphMargin": true,
    "editor.guides.indentation": false,
    "editor.renderLineHighlight": "none",
    "editor.scrollbar.horizontal": "hidden",
    "window.title": "${activeEditorShort}",
};

export async function pictures(stage) {
    const { page, step, texture, linkedColour } = stage;
    const folder = new URL("../../../../editors/vscode/media/", import.meta.url).pathname;
    const code = stage.view("polaris10", "gcn");
    const take = async (name) => {
        // Nothing under the mouse, no message, no cursor that blinks.
        const { height } = page.viewportSize();
        await page.mouse.move(400, height - 16);
        await page.waitForTimeout(700);
        await page.screenshot({ path: path.join(folder, `${name}.png`), caret: "hide", animations: "disabled" });
    };
    let source;

    await step("a source with its hints, heat and the hover of an opcode", async () => {
        await page.setViewportSize({ width: 1180, height: 700 });
        // Its error is for other parts of the run.
        await rm(path.join(stage.workspace, "kernel.gcn"));
        await stage.useSettings(plainWindow);
        source = await stage.open("lit_texture.tgsi");
        if (await page.locator(".part.sidebar").isVisible()) {
            await page.keyboard.press("Control+b");
        }
        await stage.figures(source);
        await eventually(
            "heat",
            () => source.heat(),
            (marks) => marks.length > 3,
        );
        await source.clickLine(texture);
        await hovered(page, "the hover", source.word(texture, "TEX"), (texts) => texts.join().includes("TEX"));
        await page.waitForTimeout(700);
        await page.screenshot({ path: path.join(folder, "source.png"), caret: "hide", animations: "disabled" });
        await page.keyboard.press("Escape");
    });

    await step("machine code beside its source", async () => {
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Open Compiled Code");
        await eventually(
            "the link",
            () => code.linked(linkedColour),
            (lines) => holds(lines, "image_sample"),
        );
        await eventually(
            "colours",
            () => code.edges("image_sample"),
            (edges) => edges.length > 0,
        );
        await take("compiled");
    });

    await step("what became of it since it was pinned", async () => {
        await stage.runCommand("Tungsten: Pin the Compiled Code to Compare With");
        const pow = stage.instruction("POW");
        await source.clickLine(pow);
        await page.keyboard.press("Home");
        await page.keyboard.press("Shift+End");
        await page.keyboard.type(pow.replace("POW", "MUL"));
        await page.keyboard.press("Escape");
        await stage.runCommand("File: Save");
        await stage.runCommand("Tungsten: Compare with the Pinned Code");
        const now = Editor.ofDifference(page, "modified");
        const isMarked = ({ behind }) => behind.some(({ names }) => names.includes("line-insert"));
        await eventually(
            "a difference",
            () => now.lines(),
            (lines) => lines.some(isMarked),
        );
        await stage.runCommand("View: Close Other Editors in Group");
        await stage.runCommand("View: Close Editors in Other Groups");
        await eventually(
            "one group",
            () => stage.groups(),
            (count) => count === 1,
        );
        await now.root.click({ position: { x: 300, y: 200 } });
        await page.keyboard.press("Alt+F5");
        await take("comparison");
        await stage.runCommand("View: Close All Editors");
    });

    await step("the panel", async () => {
        await page.keyboard.press("Escape");
        source = await stage.open("views.tgsi");
        await stage.figures(source);
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Show Pressure and Stalls");
        const titles = async () => (await panelFrame(page)).locator("h2").allInnerTexts();
        await eventually("its parts", titles, (all) => all.length === 3);
        // Drag the border, for room.
        await page.setViewportSize({ width: 1180, height: 760 });
        await page.waitForTimeout(1000);
        const { x, y, width } = await page.locator(".part.panel").boundingBox();
        await page.mouse.move(x + width / 2, y - 1);
        await page.waitForTimeout(500);
        await page.mouse.down();
        await page.mouse.move(x + width / 2, 400, { steps: 20 });
        await page.mouse.up();
        await take("panel");
    });

    const toolbar = page.locator(".debug-toolbar");
    const press = (name) => toolbar.locator(`.action-label[aria-label^="${name}"]`).first().click();
    const pane = (name) => page.locator(".part.sidebar .pane-header", { hasText: name });
    const row = (text) => page.locator(".part.sidebar .monaco-list-row", { hasText: text }).first();

    await step("a run that stopped where a NaN was made", async () => {
        await stage.runCommand("View: Close All Editors");
        await page.setViewportSize({ width: 1180, height: 760 });
        source = await stage.open("zero_normal.tgsi");
        await stage.figures(source);
        await stage.runCommand("Tungsten: Debug This Shader or Kernel");
        await toolbar.waitFor();
        await stage.runCommand("View: Show Run and Debug");
        await pane("Watch").click();
        if (await page.locator(".part.panel").isVisible()) {
            await page.keyboard.press("Control+j");
        }
        await row("NaN is made").locator("input, .monaco-checkbox").first().click();
        await press("Continue");
        await page.locator(".exception-widget").first().waitFor();
        await take("debugging-nan");
    });

    await step("where a NaN comes from", async () => {
        await press("Continue");
        await page.locator(".exception-widget").first().waitFor({ state: "hidden" });
        await source.word("11: MUL OUT[0].xyz", "OUT").click();
        await stage.runCommand("Tungsten: Where Does This NaN Come From?");
        await pane("Breakpoints").click();
        await row("TEMP[0].w = inf").waitFor();
        await take("debugging-origins");
        await press("Stop");
        await toolbar.waitFor({ state: "hidden" });
    });

    await step("machine code beside its statements", async () => {
        await stage.runCommand("Tungsten: Debug This Shader with Its Machine Code");
        await toolbar.waitFor();
        await stage.choose(source.word("0: DP3 TEMP[0].w", "DP3"), "Open Disassembly View");
        const view = page.locator(".disassembly-view .monaco-list-row", { hasText: "v_interp_p1_f32" });
        await view.first().waitFor();
        await view.first().click();
        for (let steps = 0; steps < 12; steps += 1) {
            await press("Step Over");
            await page.waitForTimeout(300);
        }
        if (await page.locator(".part.panel").isVisible()) {
            await page.keyboard.press("Control+j");
        }
        await take("debugging-disassembly");
        await press("Stop");
        await toolbar.waitFor({ state: "hidden" });
    });
}
