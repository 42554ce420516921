// What lines cost, where people look: gutter, scroll bar, status bar, hints; in
// the measure that is chosen, and not at all where that is wished.
import assert from "node:assert/strict";
import { eventually, settled } from "../editor.mjs";

/** The colour of the hottest step, which the scroll bar has marks of: none of errors or warnings. */
const hot = "119,136,187";

export async function costs(stage) {
    const { step, texture, linkedColour } = stage;
    let source;
    const code = stage.view("polaris10", "gcn");

    await step("the gutter and the scroll bar show heat", async () => {
        source = await stage.open("costs.tgsi");
        await eventually(
            "several colours",
            () => source.heat(),
            (marks) => marks.length > 2 && new Set(marks).size > 2,
        );
        await eventually(
            "marks",
            () => source.rulerColours(),
            (colours) => colours.includes(hot),
        );
    });

    await step("the status bar tells the sums, and what changed since the file was saved", async () => {
        const sums = () => stage.statusItem("tungsten.costs").innerText();
        await eventually("the sums", sums, (text) => /^\d+ waves · V \d+ · S \d+ · \d+ clk$/.test(text.trim()));
        await stage.writeCosine(source);
        await eventually("other clocks", sums, (text) => /\d+ \([+−]\d+\) clk/.test(text));
        await stage.runCommand("File: Save");
        await eventually("nothing changed since", sums, (text) => /\d+ clk$/.test(text.trim()));
    });

    await step("heat is of registers or of clocks, as a command says", async () => {
        const clocks = await settled("the heat of clocks", () => source.heat());
        await stage.runCommand("Tungsten: Change What Heat Shows");
        const registers = await eventually(
            "other heat of the same lines",
            () => source.heat(),
            (marks) => marks.length === clocks.length && marks.join() !== clocks.join(),
        );
        assert.notEqual(registers.length, 0);
        await stage.runCommand("Tungsten: Change What Heat Shows");
        await eventually(
            "none",
            () => source.heat(),
            (marks) => marks.length === 0,
        );
        await stage.runCommand("Tungsten: Change What Heat Shows");
        await eventually(
            "clocks again",
            () => source.heat(),
            (marks) => marks.join() === clocks.join(),
        );
    });

    await step("one setting switches off all that is drawn, and on again", async () => {
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Open Compiled Code");
        await eventually(
            "marks of the link",
            () => code.linked(linkedColour),
            (lines) => lines.length > 0,
        );
        await eventually(
            "colours",
            () => code.edges("image_sample"),
            (edges) => edges.length > 0,
        );
        const hint = async () => (await source.lines()).some((line) => /\d GCN/.test(line.text));
        await eventually("hints", hint, (isThere) => isThere);
        await stage.useSettings({ "tungsten.decorations": false });
        await eventually(
            "no heat",
            () => source.heat(),
            (marks) => marks.length === 0,
        );
        await eventually("no hints", hint, (isThere) => !isThere);
        await eventually(
            "no link",
            () => code.linked(linkedColour),
            (lines) => lines.length === 0,
        );
        await eventually(
            "no colours",
            () => code.edges("image_sample"),
            (edges) => edges.length === 0,
        );
        await eventually(
            "no marks in the scroll bar",
            () => source.rulerColours(),
            (colours) => !colours.includes(hot),
        );
        assert(
            (await source.lenses()).some((lens) => /VGPR/.test(lens)),
            "the line above the shader stays",
        );
        await stage.useSettings();
        await eventually(
            "heat",
            () => source.heat(),
            (marks) => marks.length > 2,
        );
        await eventually("hints", hint, (isThere) => isThere);
        await eventually(
            "the link",
            () => code.linked(linkedColour),
            (lines) => lines.length > 0,
        );
    });
}
