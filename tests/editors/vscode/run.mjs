// Drives the real VS Code, with the packaged extension and the real server, as
// a user would: by mouse and keys, judged by what is on the screen.
//
//   run.mjs TOOLS WORK EXTENSION SERVER EXAMPLE ARTEFACTS
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { Editor, eventually } from "./editor.mjs";
import { panel } from "./panel.mjs";
import { views } from "./views.mjs";
import { startWorkbench } from "./workbench.mjs";

const [tools, work, extension, server, example, artefacts] = process.argv.slice(2).map((place) => path.resolve(place));

// The extension's colour for linked lines in a dark theme, as a browser says it.
const { contributes } = JSON.parse(
    await readFile(new URL("../../../editors/vscode/package.json", import.meta.url), "utf8"),
);
const [red, green, blue] = contributes.colors
    .find(({ id }) => id === "tungsten.linkedLineBackground")
    .defaults.dark.match(/[0-9a-f]{2}/g)
    .map((digits) => Number.parseInt(digits, 16));
// How far the editor rounds the transparency is its own affair.
const linkedColour = `rgba(${red}, ${green}, ${blue}, `;

const workspace = path.join(work, "workspace");
const name = path.basename(example);
const sourceLines = (await readFile(example, "utf8")).split("\n");
const instruction = (opcode) => {
    const found = sourceLines.find((line) => new RegExp(`^\\s*(\\d+:\\s*)?${opcode}\\b`).test(line));
    assert(found, `the example has no ${opcode}`);
    return found.trim();
};
const texture = instruction("TEX");

const workbench = await startWorkbench({ tools, folder: path.join(work, "vscode"), extension });
const { page } = workbench;
let passed = 0;
let failed = 0;

/** One step; the steps build on each other, so the first failure ends the run. */
async function step(what, run) {
    const began = Date.now();
    try {
        await run();
        passed += 1;
        console.log(`ok ${what} (${Date.now() - began} ms)`);
    } catch (error) {
        failed += 1;
        console.log(`not ok ${what}\n${error.stack}`);
        await page.screenshot({ path: path.join(artefacts, "vscode-failure.png") }).catch(() => undefined);
        for (const editor of [source, compiled]) {
            const seen = await editor.lines().catch((reason) => reason.message);
            console.log(`${editor.name}: ${JSON.stringify(seen, null, 1)}`);
        }
        throw error;
    }
}

async function runCommand(title) {
    await page.keyboard.press("F1");
    await page.locator(".quick-input-widget input").fill(`>${title}`);
    await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
}

const source = new Editor(page, name);
const compiled = new Editor(page, ".gcn");
const machineCode = /^\s*[sv]_[a-z]\w+/m;

async function useSettings(settings) {
    await mkdir(path.join(workspace, ".vscode"), { recursive: true });
    await writeFile(path.join(workspace, ".vscode", "settings.json"), JSON.stringify(settings));
}

/** A kernel with an error in line 5, and the file that it includes. */
const kernelLines = [
    '.amdgcn_target "amdgcn-amd-amdhsa--gfx803"',
    '.include "macros.inc"',
    "start:",
    "  twice 3",
    "  v_mov_b32 s0, v3",
    "  s_branch start",
    "",
];
/** Files of a name that belongs to many machines: one of ours, and one that is not. */
const ours = "  v_mov_b32 v0, 1.0\n  s_endpgm\n";
const foreign = "  mov eax, 1\n  ret\n";
const macroLines = [".macro twice reg", "  v_add_f32 v\\reg, v\\reg, v\\reg", ".endm", ""];

/**
 * A program that runs the server where every libLLVM of this machine is hidden
 * from it; undefined where this machine does not let a process have a view of
 * its files of its own.
 */
async function serverWithoutCompiler() {
    try {
        execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" });
    } catch {
        return undefined;
    }
    const libraries = execFileSync(server, ["doctor"], { encoding: "utf8" }).match(/ \/\S*libLLVM\S*/g) ?? [];
    const hide = libraries.map((library) => `mount --bind /dev/null '${library.trim()}'`).join("\n");
    const program = path.join(work, "without-compiler");
    await writeFile(program, `#!/bin/sh\nexec unshare --mount sh -ec "${hide}\nexec '${server}' $*"\n`);
    await chmod(program, 0o755);
    return program;
}

async function run() {
    await mkdir(workspace, { recursive: true });
    await mkdir(artefacts, { recursive: true });
    await copyFile(example, path.join(workspace, name));
    // There from the start: the editor looks at the folder's files only now and then.
    await copyFile(example, path.join(workspace, "views.tgsi"));
    const tokens = execFileSync(server, ["tokens", "--encode", "--raw", example]);
    await writeFile(path.join(workspace, "binary.tgsib"), tokens);
    const digits = await readFile(new URL("../code_object.hex", import.meta.url), "utf8");
    const object = Buffer.from(digits.replaceAll(/#.*|\s/g, ""), "hex");
    await writeFile(path.join(workspace, "object.co"), object);
    await writeFile(path.join(workspace, "macros.inc"), macroLines.join("\n"));
    await writeFile(path.join(workspace, "kernel.gcn"), kernelLines.join("\n"));
    await writeFile(path.join(workspace, "ours.s"), ours);
    await writeFile(path.join(workspace, "foreign.s"), foreign);
    await useSettings({ "tungsten.server.path": server });

    await step("the workbench opens the example", async () => {
        await workbench.open(workspace);
        await page.waitForSelector(".monaco-workbench", { timeout: 60_000 });
        const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: name });
        await row.waitFor({ timeout: 60_000 });
        await row.dblclick();
        // Room for two editors beside each other.
        await page.keyboard.press("Control+b");
        await eventually("the source is shown", () => source.text(), (text) => text.includes(texture.split(",")[0]));
    });

    await step("words are coloured by the grammar", async () => {
        const header = source.word(/^\s*(FRAG|VERT)/, /FRAG|VERT/);
        const register = source.word(texture, "TEMP");
        await eventually(
            "keyword and register differ in colour",
            () =>
                Promise.all(
                    [header, register].map((word) => word.evaluate((element) => getComputedStyle(element).color)),
                ),
            ([one, other]) => one !== other,
        );
    });

    await step("a code lens tells registers and waves", () =>
        eventually(
            "the lens",
            () => source.lenses(),
            (lenses) => lenses.some((lens) => /polaris10.*VGPR/.test(lens)),
            60,
        ),
    );

    await step("inlay hints tell each line's machine instructions", () =>
        eventually(
            "the hint",
            async () => (await source.lines()).find((line) => line.text.includes(texture))?.text ?? "",
            (text) => text.length > texture.length && /\d/.test(text.split(texture)[1] ?? ""),
        ),
    );

    await step("a good shader has no error", async () => {
        assert.equal(await source.root.locator(".squiggly-error").count(), 0);
    });

    await step("hovering an opcode explains it", async () => {
        await source.word(texture, "TEX").hover();
        await eventually(
            "the hover",
            () => page.locator(".monaco-hover:visible .hover-contents").allInnerTexts(),
            (contents) => contents.some((content) => content.includes("TEX")),
        );
        await page.keyboard.press("Escape");
        await page.mouse.move(700, 880);
    });

    await step("the lens opens the machine code beside the source", async () => {
        await source.root.locator(".codelens-decoration a").first().click();
        await eventually("machine code", () => compiled.text(), (text) => machineCode.test(text));
        assert.equal(await page.locator(".editor-group-container").count(), 2);
    });

    await step("the cursor's line has its machine code marked", async () => {
        await source.clickLine(texture);
        const marked = await eventually(
            "marked machine code of the texture fetch",
            () => compiled.linked(linkedColour),
            (lines) => lines.some((line) => line.text.includes("image_sample")),
        );
        assert(
            marked.every((line) => !line.text.includes("exp ")),
            "an export does not come from a texture fetch",
        );
        const own = await source.linked(linkedColour);
        assert.deepEqual(own.map((line) => line.text.includes(texture)), [true]);
    });
    await page.screenshot({ path: path.join(artefacts, "vscode.png") });

    await step("machine code out of sight is brought into sight", async () => {
        const output = sourceLines.findLast((line) => /^\s*(\d+:\s*)?MAD OUT\[0\]/.test(line)).trim();
        const statement = `; ${output}`;
        assert(!(await compiled.text()).includes(statement), "it is in sight already");
        await source.clickLine(output);
        await eventually(
            "its machine code",
            () => compiled.linked(linkedColour),
            (lines) => lines.some((line) => line.text.includes(statement)),
        );
    });

    await step("a click into the machine code marks its source line", async () => {
        // Each run of machine code has its statement above it, as a comment.
        const others = (await compiled.lines())
            .map((line) => line.text.match(/^\s*; (\d+: .*\S)/)?.[1])
            .filter((statement) => statement !== undefined && !texture.includes(statement));
        assert(others.length > 0, "only the texture fetch has machine code in sight");
        const statement = others[Math.floor(others.length / 2)];
        await compiled.clickLine(statement);
        await eventually(
            "the marked source line",
            () => source.linked(linkedColour),
            (lines) => lines.length === 1 && lines[0].text.includes(statement),
        );
    });

    await step("a syntax error is shown at once and the code is kept, marked as old", async () => {
        await source.clickLine(texture);
        await page.keyboard.press("Home");
        await page.keyboard.press("Home");
        const before = await compiled.text();
        const tabColour = () =>
            compiled.tab.locator(".label-name").evaluate((label) => getComputedStyle(label).color);
        const plainTab = await tabColour();
        await page.keyboard.type("BOGUS ");
        await eventually("the squiggle", () => source.root.locator(".squiggly-error").count(), (count) => count > 0);
        const lines = await eventually(
            "the old code, faint",
            () => compiled.lines(),
            (seen) => seen.some((line) => line.faint),
        );
        await eventually(
            "what it is of",
            () => compiled.lenses(),
            (lenses) => lenses.some((lens) => lens.includes("of an earlier text")),
        );
        assert.match(lines.map((line) => line.text).join("\n"), machineCode);
        assert.match(before, machineCode);
        await eventually("the tab's colour", tabColour, (colour) => colour !== plainTab);
    });
    await page.screenshot({ path: path.join(artefacts, "vscode-error.png") });

    await step("undoing it brings everything back", async () => {
        while (await page.locator(`.tab.active.dirty[data-resource-name="${name}"]`).count()) {
            await page.keyboard.press("Control+z");
        }
        await eventually("no squiggle", () => source.root.locator(".squiggly-error").count(), (count) => count === 0);
        await eventually(
            "current code",
            () => compiled.lines(),
            (seen) => seen.length > 3 && seen.every((line) => !line.faint),
        );
        await eventually(
            "what it is of",
            () => compiled.lenses(),
            (lenses) => lenses.some((lens) => lens.includes("of the current text")),
        );
    });

    await step("an edit changes the machine code, live", async () => {
        const before = await compiled.text();
        const last = sourceLines.findLastIndex((line) => /^\s*(\d+:\s*)?END\b/.test(line));
        await source.clickLine(sourceLines[last].trim());
        await page.keyboard.press("Home");
        await page.keyboard.type("COS OUT[0].x, TEMP[0].xxxx\n");
        await compiled.root.click({ position: { x: 300, y: 300 } });
        await page.keyboard.press("Control+End");
        await eventually("a cosine", () => compiled.text(), (text) => text.includes("v_cos_f32"));
        assert(!before.includes("v_cos_f32"));
    });

    await step("machine code is explained where it is shown", async () => {
        await compiled.word("v_cos_f32", "v_cos_f32").hover();
        const hover = page.locator(".monaco-hover:visible");
        await eventually("its page", () => hover.allInnerTexts(), (texts) => texts.join().includes("VOP1"));
    });

    await step("another chip's code takes its place", async () => {
        await runCommand("Tungsten: Compile for Another Chip");
        // The command's own list is there only after that of the commands is gone.
        await page.locator('.quick-input-widget input[placeholder*="chip"]').fill("tahiti");
        await page.locator(".quick-input-list .monaco-list-row", { hasText: "tahiti" }).first().click();
        await eventually("the tab", () => compiled.tab.innerText(), (title) => title.includes("tahiti"));
        await eventually("machine code", () => compiled.text(), (text) => machineCode.test(text));
    });

    await step("the status bar names chip and server", async () => {
        const status = page.locator('.statusbar-item[id*="tungsten.status"]');
        await eventually("the chip", () => status.innerText(), (text) => text.includes("tahiti"));
    });

    await step("the gutter shows heat, the status bar what the shader costs", async () => {
        const sums = page.locator('.statusbar-item[id*="tungsten.costs"]');
        await eventually("the sums", () => sums.innerText(), (text) => /\d+ waves · V \d+ · S \d+ · \d+ clk/.test(text));
        await eventually("several colours", () => source.heat(), (marks) => marks.length > 2 && new Set(marks).size > 1);
        await useSettings({ "tungsten.server.path": server, "tungsten.heat": "off" });
        await eventually("no colours", () => source.heat(), (marks) => marks.length === 0);
    });

    await step("a change of the settings is taken at once", async () => {
        await source.root.click({ position: { x: 300, y: 300 } });
        await page.keyboard.press("Control+Home");
        await useSettings({ "tungsten.server.path": server, "tungsten.targets": ["vega10", "bonaire"] });
        await eventually(
            "lenses for the new chips",
            () => source.lenses(),
            (lenses) =>
                ["vega10", "bonaire"].every((chip) => lenses.some((lens) => lens.includes(chip))) &&
                !lenses.some((lens) => lens.includes("polaris10")),
        );
    });

    await step("a file of tokens opens as text, with the services of text", async () => {
        await page.keyboard.press("Control+p");
        await page.locator(".quick-input-widget input").fill("binary.tgsib");
        await page.locator(".quick-input-list .monaco-list-row", { hasText: "binary.tgsib" }).first().click();
        const decoded = new Editor(page, "binary.tgsib.tgsi");
        await eventually("its text", () => decoded.text(), (text) => text.includes("TEX TEMP"));
        await eventually("a lens", () => decoded.lenses(), (lenses) => lenses.some((lens) => /VGPR/.test(lens)));
        assert.equal(await page.locator('.tab[data-resource-name="binary.tgsib"]').count(), 0, "the tab of the file");
        await page.keyboard.press("Control+w");
        await eventually("the source again", () => source.text(), (text) => text.length > 0);
    });

    await step("a code object opens as a listing", async () => {
        await page.keyboard.press("Control+p");
        await page.locator(".quick-input-widget input").fill("object.co");
        await page.locator(".quick-input-list .monaco-list-row", { hasText: "object.co" }).first().click();
        const listing = new Editor(page, "object.co.gcn");
        await eventually("its text", () => listing.text(), (text) => /s_mov_b32 s0, 0x1234/.test(text));
        await page.keyboard.press("Control+w");
        await eventually("the source again", () => source.text(), (text) => text.length > 0);
    });

    await step("a kernel in assembly is judged, explained and expanded with what it includes", async () => {
        await page.keyboard.press("Control+p");
        await page.locator(".quick-input-widget input").fill("kernel.gcn");
        await page.locator(".quick-input-list .monaco-list-row", { hasText: "kernel.gcn" }).first().click();
        const kernel = new Editor(page, "kernel.gcn");
        await eventually("its text", () => kernel.text(), (text) => text.includes("s_branch start"));
        const squiggles = kernel.root.locator(".squiggly-error");
        await eventually("one error", () => squiggles.count(), (count) => count === 1);

        await kernel.word("s_branch start", "s_branch").hover();
        const hover = page.locator(".monaco-hover:visible");
        await eventually("its page", () => hover.allInnerTexts(), (texts) => texts.join().includes("gfx803"));

        await kernel.clickLine("twice 3");
        await page.keyboard.press("Home");
        await runCommand("Tungsten: Show What a Macro Expands To");
        const expansion = new Editor(page, "twice expanded.gcn");
        await eventually("the expansion", () => expansion.text(), (text) => /v_add_f32 v3, v3, v3/.test(text));
        await kernel.clickLine("twice 3");
        await page.keyboard.press("End");
        await page.keyboard.type("1");
        await eventually("it follows", () => expansion.text(), (text) => /v_add_f32 v31, v31, v31/.test(text));
        await page.keyboard.press("Control+z");
        await eventually("and back", () => expansion.text(), (text) => /v_add_f32 v3, v3, v3/.test(text));
        await expansion.root.click({ position: { x: 300, y: 300 } });
        await page.keyboard.press("Control+w");

        await kernel.clickLine("twice 3");
        await page.keyboard.press("Home");
        await page.keyboard.press("F12");
        const included = new Editor(page, "macros.inc");
        await eventually("the macro", () => included.text(), (text) => text.includes(".macro twice"));
        await page.keyboard.press("Control+w");
        await page.keyboard.press("Control+w");
        await eventually("the source again", () => source.text(), (text) => text.length > 0);
    });

    const openByName = async (file) => {
        await page.keyboard.press("Control+p");
        await page.locator(".quick-input-widget input").fill(file);
        await page.locator(".quick-input-list .monaco-list-row", { hasText: file }).first().click();
    };
    const languageOf = () => page.locator('.statusbar-item[id="status.editor.mode"]').innerText();

    await step("a .s file is ours by what it holds, and no other is", async () => {
        await openByName("ours.s");
        await eventually("its language", languageOf, (language) => language.includes("AMD GCN assembly"));
        await page.keyboard.press("Control+w");
        await openByName("foreign.s");
        const other = new Editor(page, "foreign.s");
        await eventually("its text", () => other.text(), (text) => text.includes("eax"));
        assert(!(await languageOf()).includes("GCN"));
        await page.keyboard.press("Control+w");
        await eventually("the source again", () => source.text(), (text) => text.length > 0);
    });

    await step("an empty file is begun with a whole shader", async () => {
        await runCommand("File: New Untitled Text File");
        await page.locator('.statusbar-item[id="status.editor.mode"] a').click();
        await page.locator(".quick-input-widget input").fill("TGSI");
        await page.locator(".quick-input-list .monaco-list-row", { hasText: "TGSI" }).first().click();
        const untitled = new Editor(page, "Untitled-1");
        await untitled.root.click({ position: { x: 300, y: 100 } });
        await page.keyboard.type("CO");
        await page.keyboard.press("Control+Space");
        await page.locator(".suggest-widget .monaco-list-row", { hasText: "COMP …" }).first().click();
        await eventually("the shader", () => untitled.text(), (text) => /CS_FIXED_BLOCK_WIDTH 64/.test(text));
        await eventually("its lens", () => untitled.lenses(), (lenses) => lenses.some((lens) => /VGPR/.test(lens)));
        assert.equal(await untitled.root.locator(".squiggly-error").count(), 0);
        await page.keyboard.press("Escape");
        await runCommand("View: Revert and Close Editor");
        await eventually("the source again", () => source.text(), (text) => text.length > 0);
    });

    await step("the walkthrough leads to an example that compiles", async () => {
        await runCommand("Welcome: Open Walkthrough");
        await page.locator(".quick-input-widget input").fill("Tungsten");
        await page.locator(".quick-input-list .monaco-list-row", { hasText: "Get Started with" }).first().waitFor();
        await page.keyboard.press("Enter");
        await page.locator(".getting-started-step", { hasText: "Open an example" }).first().waitFor();
        await page.screenshot({ path: path.join(artefacts, "vscode-walkthrough.png") });
        await runCommand("Tungsten: Open an Example");
        const example = new Editor(page, "Untitled-1");
        await eventually("its lens", () => example.lenses(), (lenses) => lenses.some((lens) => /VGPR/.test(lens)));
        await runCommand("View: Revert and Close Editor");
        await runCommand("View: Close Editor");
        await eventually("the source again", () => source.text(), (text) => text.length > 0);
    });

    const withoutCompiler = await serverWithoutCompiler();
    if (withoutCompiler === undefined) {
        console.log("skipped: without a compiler one message says what works (libLLVM cannot be hidden here)");
    } else {
        await step("without a compiler one message says what works and how to get it", async () => {
            await useSettings({ "tungsten.server.path": withoutCompiler });
            await eventually(
                "the message",
                () => page.locator(".notification-list-item").allInnerTexts(),
                (notifications) =>
                    notifications.some((words) => words.includes("not compiled") && words.includes("How to Get It")),
            );
            assert.equal(await page.locator(".notification-list-item").count(), 1, "nothing else is shown");
            await page.screenshot({ path: path.join(artefacts, "vscode-without-compiler.png") });
            await page.locator(".notification-list-item a", { hasText: "How to Get It" }).click();
            await page.locator(".getting-started-step", { hasText: "compiler comes from" }).first().waitFor();
            await page.locator(".tab.active", { hasText: "Welcome" }).click();
            await page.keyboard.press("Control+w");
            await eventually("the source again", () => source.text(), (text) => text.length > 0);
            await useSettings({ "tungsten.server.path": server });
            await eventually("the lens", () => source.lenses(), (all) => all.some((lens) => /VGPR/.test(lens)));
        });
    }

    await step("a missing server is reported with what to do", async () => {
        await useSettings({ "tungsten.server.path": path.join(workspace, "no-such-program") });
        await eventually(
            "the message",
            () => page.locator(".notification-list-item").allInnerTexts(),
            (notifications) =>
                notifications.some((words) => words.includes("no-such-program") && words.includes("Open Settings")),
        );
        await useSettings({ "tungsten.server.path": server });
        await eventually(
            "the lens is back",
            () => source.lenses(),
            (lenses) => lenses.some((lens) => /VGPR/.test(lens)),
        );
    });

    const stage = { page, step, runCommand, useSettings, server, artefacts, linkedColour, texture };
    await views(stage);
    await panel(stage);

    await step("nothing outside this machine was asked for", async () => {
        assert.deepEqual([...workbench.outside], []);
    });
}

try {
    await run();
} catch {
    // Reported by its step.
} finally {
    await workbench.stop();
}
console.log(`vscode: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
