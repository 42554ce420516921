// Compiled code in several views: colours, IR, bytes, two chips beside each other.
import assert from "node:assert/strict";
import { eventually, repeatedly, settled } from "../editor.mjs";
import { holds } from "../stage.mjs";

export async function views(stage) {
    const { step, texture, linkedColour } = stage;
    let source;
    const code = stage.view("polaris10", "gcn");
    const second = stage.view("tahiti", "gcn");
    const edgesOf = (text) =>
        eventually(
            `a colour of ${text}`,
            () => code.edges(text),
            (edges) => edges.length > 0,
        );

    await step("lines that belong together have one colour", async () => {
        source = await stage.open("views.tgsi");
        await stage.figures(source);
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Open Compiled Code");
        const fetch = await edgesOf("image_sample");
        await eventually(
            "the same",
            () => source.edges(texture),
            (edges) => edges[0] === fetch[0],
        );
        const all = await source.edges(":");
        assert(new Set(all).size > 3, `several colours: ${all}`);
        await stage.runCommand("Tungsten: Change How Lines Are Coloured");
        await eventually(
            "none at the edge",
            () => source.edges(texture),
            (edges) => edges.length === 0,
        );
        const isTinted = ({ behind }) => behind.some(({ colour }) => colour.endsWith("0.18)"));
        const tinted = () => source.lines().then((lines) => lines.filter(isTinted));
        await eventually("behind the lines", tinted, (lines) => lines.length > 3);
        await stage.runCommand("Tungsten: Change How Lines Are Coloured");
        await eventually("nowhere", tinted, (lines) => lines.length === 0);
        await stage.runCommand("Tungsten: Change How Lines Are Coloured");
        await edgesOf("image_sample");
    });

    await step("what holds registers and what waits wait for is linked to the lines", async () => {
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Explain Registers");
        const registers = stage.view("polaris10", "registers");
        await eventually(
            "the values at the peak",
            () => registers.text(),
            (text) => /\d+ VGPRs live at line \d+/.test(text) && text.includes("read last at line"),
        );
        await stage.picture("explained-registers");
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Explain This Wait");
        const waits = stage.view("polaris10", "waits");
        await eventually(
            "the waits",
            () => waits.text(),
            (text) => /line \d+ \(`s_waitcnt .*waits \d+ clocks/.test(text),
        );
        await eventually(
            "the wait in the line of the fetch, and what is behind it",
            () => waits.linked(linkedColour),
            (lines) => holds(lines, "s_waitcnt") && holds(lines, "waited"),
        );
    });

    await step("the IR and the bytes are views of the same shader, linked to it", async () => {
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Show the LLVM IR");
        const ir = stage.view("polaris10", "ll");
        await eventually(
            "IR",
            () => ir.text(),
            (text) => /%v\d+ = /.test(text),
        );
        await eventually(
            "its lines of the fetch",
            () => ir.linked(linkedColour),
            (lines) => holds(lines, "image.sample"),
        );
        await stage.runCommand("Tungsten: Show the Bytes");
        const bytes = stage.view("polaris10", "hex");
        await eventually(
            "bytes",
            () => bytes.text(),
            (text) => /^[0-9A-F]{6} {2}([0-9A-F]{2} )+/m.test(text),
        );
        await eventually(
            "its line of the fetch",
            () => bytes.linked(linkedColour),
            (lines) => holds(lines, "image_sample"),
        );
        assert.equal(await stage.groups(), 2);
    });

    await step("two chips stand beside each other, and one cursor marks both", async () => {
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Open Compiled Code");
        await eventually(
            "the first chip",
            () => code.text(),
            (text) => text.includes("s_mov"),
        );
        await code.clickLine("s_");
        await stage.pickFrom("Tungsten: Compile for a Second Chip Beside", "chip", "tahiti");
        await eventually(
            "the second chip",
            () => second.text(),
            (text) => text.includes("tahiti"),
        );
        assert.equal(await stage.groups(), 3);
        await source.clickLine(texture);
        for (const chip of [code, second]) {
            await eventually(
                "the fetch",
                () => chip.linked(linkedColour),
                (lines) => holds(lines, "image_sample"),
            );
        }
        await stage.picture("side-by-side");
        const shown = await settled("the code for the second chip", () => second.lines());
        const statements = shown.map((line) => line.text.match(/^\s*; (\d+: .*\S)/)?.[1]);
        const other = statements.find((statement) => statement && !texture.includes(statement));
        await second.clickLine(other);
        await eventually(
            "the source line",
            () => source.linked(linkedColour),
            (lines) => holds(lines, other),
        );
        await eventually(
            "the first chip's",
            () => code.linked(linkedColour),
            (lines) => holds(lines, other),
        );
        await stage.closeEditor();
        await eventually(
            "two groups",
            () => stage.groups(),
            (count) => count === 2,
        );
    });

    await step("the GLSL of a host is a view that is linked, and all hosts give their verdicts", async () => {
        await source.clickLine(texture);
        await stage.pickFrom("Tungsten: Show the GLSL for a Host", "A host", "gles30");
        const glsl = stage.view("gles30", "glsl");
        // The cursor's line is brought into sight, which may be below the first ones.
        await repeatedly(
            "GLSL",
            () => glsl.scrollToTop(),
            () => glsl.text(),
            (text) => text.includes("FRAG for gles30: accepted") && text.includes("#version 300 es"),
        );
        await source.clickLine(texture);
        await eventually(
            "its line of the fetch",
            () => glsl.linked(linkedColour),
            (lines) => holds(lines, "texture("),
        );
        await stage.picture("glsl");
        await stage.runCommand("Tungsten: Check on All Hosts");
        await eventually(
            "a verdict of each host",
            () => stage.view("all", "hosts").text(),
            (text) => ["gl33", "gl46", "gles30", "gles32"].every((host) => new RegExp(`${host} +accepted`).test(text)),
        );
        await stage.picture("hosts");
    });
}
