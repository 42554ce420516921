// The panel that draws costs.
import assert from "node:assert/strict";
import { eventually } from "../editor.mjs";

/** The frame of the page that the panel shows. */
export async function panelFrame(page) {
    for (const frame of page.frames()) {
        if (
            (await frame
                .locator("main#page")
                .count()
                .catch(() => 0)) > 0
        ) {
            return frame;
        }
    }
    throw new Error("the panel's page is not there");
}

export async function panel(stage) {
    const { page, step, texture } = stage;
    let source;
    const seen = async (selector) => (await panelFrame(page)).locator(selector).allInnerTexts();
    const texts = (selector) => async () => (await seen(selector)).map((text) => text.replace(/\s+/g, " ").trim());
    const cursorLine = () => stage.cursorLine();

    await step("the panel shows pressure, the occupancy ladder and the stalls", async () => {
        await stage.useSettings({ "tungsten.targets": ["polaris10", "tahiti"] });
        source = await stage.open("panel.tgsi");
        await stage.figures(source);
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Show Pressure and Stalls");
        await eventually("its parts", texts("h2"), (titles) => titles.length === 3 && titles[0].includes("panel.tgsi"));
        const frame = await panelFrame(page);
        const path = await frame.locator("path.vector").getAttribute("d");
        assert((path.match(/H/g) ?? []).length > 10, `a step for each line: ${path}`);
        const [polaris, tahiti] = await eventually("two chips", texts(".ladder tbody tr"), (rows) => rows.length === 2);
        assert.match(polaris, /^polaris10 V \d+ S \d+ – – ▶ 32 S 96 36 S 112/);
        assert.match(tahiti, /^tahiti V \d+ S \d+ ▶ 24 S 48 28 S 56/);
        const stalls = await eventually("stalls", texts(".stalls tbody tr"), (rows) => rows.length > 2);
        const clocks = stalls.map((row) => Number(row.match(/^\d+/)?.[0]));
        assert.deepEqual(
            clocks,
            [...clocks].sort((one, other) => other - one),
            "the longest wait first",
        );
        const lowest = () =>
            frame
                .locator(".ladder tbody tr:last-child, .stalls tbody tr:nth-child(2)")
                .evaluateAll((rows) => rows.map((row) => innerHeight - row.getBoundingClientRect().bottom));
        await eventually(
            "all parts in sight",
            lowest,
            (below) => below.length === 2 && below.every((room) => room >= 0),
        );
        await stage.picture("panel");
    });

    await step("hovering the chart tells a line, a click goes there, and so do the stalls", async () => {
        const frame = await panelFrame(page);
        const chart = frame.locator(".chart svg");
        const { width } = await chart.boundingBox();
        await chart.hover({ position: { x: width / 3, y: 50 } });
        const [before] = await texts(".readout")();
        await chart.hover({ position: { x: width / 2, y: 50 } });
        const [told] = await eventually("another line", texts(".readout"), ([text]) => text !== before);
        assert.match(told, /^line \d+ V \d+, S \d+, \d+( \+ \d+ waiting)? clocks/);
        await chart.click({ position: { x: width / 2, y: 50 } });
        const line = Number(told.match(/^line (\d+)/)[1]);
        await eventually("the line", cursorLine, (at) => at === line);
        const jump = frame.locator(".stalls tbody tr .jump").first();
        const words = await jump.innerText();
        await jump.click();
        await eventually("the line that waits", cursorLine, (at) => at === Number(words.match(/^\d+/)[0]));
        await eventually("the chart follows", texts(".readout"), ([text]) =>
            text.startsWith(`line ${words.match(/^\d+/)[0]} `),
        );
        // The same by keys alone.
        await chart.focus();
        await page.keyboard.press("Home");
        await page.keyboard.press("ArrowRight");
        const [second] = await texts(".readout")();
        await page.keyboard.press("Enter");
        await eventually("the second line", cursorLine, (at) => at === Number(second.match(/^line (\d+)/)[1]));
    });
}
