// The debugger: breakpoints of each kind, both directions, machine code beside the source, and
// where a value comes from.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { eventually, repeatedly } from "../editor.mjs";
import { holds, machineCode } from "../stage.mjs";

export async function debugging(stage) {
    const { page, step } = stage;
    let source;
    const toolbar = page.locator(".debug-toolbar");
    const rows = async () => {
        const shown = await page.locator(".part.sidebar .monaco-list-row").allInnerTexts();
        return shown.map((row) => row.replace(/\s+/g, " ").trim());
    };
    /** The line on which the run stands: that of the arrow beside it. */
    const standing = () =>
        source.root.evaluate((root) => {
            const arrow = root.querySelector('.glyph-margin-widgets [class*="codicon-debug-stackframe"]');
            const top = arrow && Math.round(arrow.getBoundingClientRect().top);
            const lines = [...root.querySelectorAll(".view-lines > .view-line")];
            const own = lines.find((line) => Math.abs(line.getBoundingClientRect().top - top) < 8);
            return own?.textContent.replaceAll("\u00a0", " ");
        });
    const standsAt = (text) => eventually(`it stands at ${text}`, standing, (line) => line?.includes(text) === true);
    const press = async (name) => {
        const button = toolbar.locator(`.action-label[aria-label^="${name}"]`).first();
        await eventually(
            `the button ${name}`,
            () => button.getAttribute("class"),
            (names) => names !== null && !names.includes("disabled"),
        );
        await button.click();
    };
    const seesRow = (text) =>
        eventually(`a row with ${text}`, rows, (shown) => shown.some((row) => row.includes(text)));
    const console_ = async () => {
        const shown = await page.locator(".repl .monaco-list-row").allInnerTexts();
        return shown.join("\n").replaceAll("\u00a0", " ");
    };
    const says = (text) => eventually(`the console says ${text}`, console_, (said) => said.includes(text));
    const ask = async (words) => {
        await stage.runCommand("Debug Console: Focus on Debug Console View");
        await page.locator(".repl .repl-input-wrapper").click();
        await page.keyboard.type(words);
        await page.keyboard.press("Enter");
    };
    const fill = async (words) => {
        await page.locator(".zone-widget .monaco-editor .view-lines").first().click();
        // It is shown before it has the focus: the first letters would go into the source.
        await page.locator(".zone-widget .monaco-editor.focused").waitFor();
        await page.keyboard.type(words);
        await page.keyboard.press("Enter");
    };
    const marks = (kind) =>
        source.root.locator(`.glyph-margin-widgets [class*="codicon-debug-breakpoint${kind}"]`).count();

    await step("a shader is debugged without a configuration", async () => {
        // The views of the side bar share its height.
        const { width, height } = page.viewportSize();
        await page.setViewportSize({ width, height: height + 340 });
        source = await stage.open("zero_normal.tgsi");
        await eventually(
            "the lenses",
            () => source.lenses(),
            (lenses) => lenses.includes("Debug") && lenses.includes("Debug with Machine Code"),
        );
        await stage.runCommand("Tungsten: Debug This Shader or Kernel");
        await toolbar.waitFor();
        await standsAt("DP3 TEMP[0].w");
        await stage.runCommand("View: Show Run and Debug");
        await seesRow("First difference of machine code");
        // Nothing is watched: its room is for others.
        await page.locator(".part.sidebar .pane-header", { hasText: "Watch" }).click();
    });

    await step("steps go forth and back", async () => {
        await press("Step Over");
        await standsAt("RSQ TEMP[0].w");
        await press("Step Over");
        await standsAt("MUL TEMP[0].xyz");
        await press("Step Back");
        await standsAt("RSQ TEMP[0].w");
        await press("Reverse");
        await standsAt("DP3 TEMP[0].w");
    });

    await step("breakpoints with a condition, a message and a number of hits", async () => {
        await source.clickLine("SGE TEMP[1].y");
        await stage.runCommand("Debug: Add Conditional Breakpoint...");
        await fill("lane == 3 && isnan(TEMP[1].x)");
        await eventually(
            "its mark",
            () => marks("-conditional"),
            (count) => count === 1,
        );
        await source.clickLine("MAD TEMP[2].xyz");
        await stage.runCommand("Debug: Add Logpoint...");
        await fill("diffuse is {TEMP[1].z}");
        await eventually(
            "its mark",
            () => marks("-log"),
            (count) => count === 1,
        );
        await source.clickLine("MOV OUT[0].w");
        await page.keyboard.press("F9");
        await press("Continue");
        await standsAt("SGE TEMP[1].y");
        await seesRow("pixel (1, 1)");
        await press("Continue");
        await standsAt("MOV OUT[0].w");
        await says("diffuse is");
        await press("Reverse");
        await standsAt("SGE TEMP[1].y");
        await stage.picture("debugging-breakpoints");
    });

    await step("values stand at the end of lines, and lines that the lane passed by are dimmed", async () => {
        await press("Continue");
        await standsAt("MOV OUT[0].w");
        const line = async (text) => (await source.lines()).find((it) => it.text.includes(text));
        await eventually(
            "the value that a line left",
            () => line("2: MUL TEMP[0].xyz"),
            (own) => own?.text.includes("TEMP[0].xyz = NaN, NaN, NaN") === true,
        );
        await eventually(
            "the branch not taken",
            () => line("6:   MUL TEMP[1].z"),
            (own) => own?.faint === true,
        );
        assert.equal((await line("8:   MOV TEMP[1].z")).faint, false);
        await stage.picture("debugging-values");
    });

    await step("where a NaN comes from, and back to that moment", async () => {
        await source.clickLine("MUL OUT[0].xyz");
        await page.keyboard.press("Home");
        await source.word("11: MUL OUT[0].xyz", "OUT").click();
        await stage.runCommand("Tungsten: Where Does This NaN Come From?");
        await seesRow("OUT[0].x = NaN");
        const row = (text) => page.locator(".part.sidebar .monaco-list-row", { hasText: text }).first();
        // The view is small: its end is below.
        await repeatedly(
            "the end of the way",
            async () => {
                await row("TEMP[0].x = NaN").hover();
                await page.mouse.wheel(0, 60);
            },
            rows,
            (shown) => shown.some((it) => it.includes("TEMP[0].w = inf")),
        );
        await stage.picture("debugging-origins");
        await row("2: MUL TEMP[0].xyz").click();
        await standsAt("MUL TEMP[0].xyz");
        await ask("why TEMP[0].w");
        await says("1: RSQ TEMP[0].w");
    });

    await step("the run stops where a value changes, and where a NaN is made", async () => {
        await press("Restart");
        await standsAt("DP3 TEMP[0].w");
        await stage.runCommand("View: Show Run and Debug");
        const filter = page.locator(".part.sidebar .monaco-list-row", { hasText: "NaN is made" });
        await filter.locator("input, .monaco-checkbox").first().click();
        await press("Continue");
        await eventually(
            "the reason",
            () => page.locator(".exception-widget").allInnerTexts(),
            (texts) => texts.join().includes("TEMP[0].x became NaN"),
        );
        await stage.picture("debugging-exception");
        await filter.locator("input, .monaco-checkbox").first().click();
        await stage.runCommand("Remove All Breakpoints");
        const expand = async (text) => {
            const row = page.locator(".part.sidebar .monaco-list-row", { hasText: text }).first();
            await row.locator(".monaco-tl-twistie").first().click();
        };
        await repeatedly(
            "the temporaries",
            () => expand("Temporaries"),
            rows,
            (shown) => shown.some((row) => row.startsWith("TEMP[1] ")),
        );
        await repeatedly(
            "the components",
            () => expand("TEMP[1] "),
            rows,
            (shown) => shown.some((row) => row.startsWith("TEMP[1].z")),
        );
        const own = page.locator(".part.sidebar .monaco-list-row", { hasText: "TEMP[1].z" }).first();
        await stage.choose(own, "Break on Value Change");
        await press("Continue");
        await eventually(
            "the values",
            () => page.locator(".part.sidebar").innerText(),
            (text) => text.includes("TEMP[1].z was 0, is"),
        );
        await stage.picture("debugging-data");
        await stage.runCommand("Remove All Breakpoints");
        await press("Stop");
        await toolbar.waitFor({ state: "hidden" });
    });

    await step("machine code runs beside its lines in the disassembly", async () => {
        await stage.runCommand("Tungsten: Debug This Shader with Its Machine Code");
        await toolbar.waitFor();
        await standsAt("DP3 TEMP[0].w");
        await says("interpreter and machine code agree");
        await source.clickLine("DP3 TEMP[0].w");
        await stage.choose(source.word("0: DP3 TEMP[0].w", "DP3"), "Open Disassembly View");
        const view = page.locator(".disassembly-view");
        const code = async () => {
            const shown = await view.locator(".monaco-list-row").allInnerTexts();
            return shown.map((row) => row.replace(/\s+/g, " ").trim());
        };
        await eventually(
            "the listing",
            code,
            (shown) => shown.some((row) => row.includes("v_interp_p1_f32")) && shown.some((row) => row.includes("DP3")),
        );
        /** The row with the arrow. */
        const here = async () => {
            const row = view.locator('.monaco-list-row:has([class*="codicon-debug-stackframe"])').first();
            return (await row.innerText()).replace(/\s+/g, " ").trim();
        };
        const first = await eventually("an arrow", here, (row) => /0x/.test(row));
        // Steps are those of instructions while the view has the focus.
        await view.locator(".monaco-list-row", { hasText: "v_interp_p1_f32" }).first().click();
        await press("Step Over");
        const second = await eventually("the next instruction", here, (row) => /0x/.test(row) && row !== first);
        await stage.picture("debugging-disassembly");
        await press("Step Back");
        await eventually("back", here, (row) => row === first);
        // A breakpoint on an instruction: the margin of its row.
        const target = view.locator(".monaco-list-row", { hasText: "v_rsq_f32" }).first();
        const { x, y, height } = await target.boundingBox();
        await page.mouse.click(x + 10, y + height - 8);
        await eventually(
            "its mark",
            () => view.locator('[class*="codicon-debug-breakpoint"]').count(),
            (count) => count > 0,
        );
        await press("Continue");
        await eventually("the instruction", here, (row) => row.includes("v_rsq_f32"));
        assert.notEqual(second, first);
        // The machine has done the statement at which the interpreter still stands.
        await seesRow("v_rsq_f32_e32 v");
        await seesRow("DP3 TEMP[0].w");
        await stage.picture("debugging-instruction");
        await press("Stop");
        await toolbar.waitFor({ state: "hidden" });
        await stage.runCommand("Remove All Breakpoints");
    });

    await step("a breakpoint stops at the third time", async () => {
        source = await stage.open("rounds.tgsi");
        await source.clickLine("ADD TEMP[0].x");
        await stage.runCommand("Debug: Add Conditional Breakpoint...");
        const choice = page.locator(".zone-widget .breakpoint-select-container select").first();
        await choice.waitFor();
        await choice.click();
        await page.locator(".monaco-select-box-dropdown-container .monaco-list-row", { hasText: "Hit Count" }).click();
        await page.locator(".zone-widget .monaco-editor").first().click();
        await fill("3");
        await eventually(
            "its mark",
            () => marks("-conditional"),
            (count) => count === 1,
        );
        await stage.runCommand("Tungsten: Debug This Shader or Kernel");
        await toolbar.waitFor();
        await standsAt("MOV TEMP[0]");
        await press("Continue");
        await standsAt("ADD TEMP[0].x");
        await ask("row TEMP[0].x");
        await says("2.0, 2.0, 2.0, 2.0");
        await stage.picture("debugging-hits");
        // Once, and not each third time.
        await press("Continue");
        await standsAt("END");
        await press("Stop");
        await toolbar.waitFor({ state: "hidden" });
        await stage.runCommand("Remove All Breakpoints");
    });

    await step("edited machine code stops where it makes the first difference", async () => {
        const place = (name) => path.join(stage.workspace, name);
        const words = ["compile", "--target", "polaris10", "--emit", "asm", place("edited.tgsi")];
        const listing = execFileSync(stage.server, words, { encoding: "utf8" });
        const changed = listing.replace("0x3e800000", "0.5");
        assert.notEqual(changed, listing);
        await writeFile(place("edited.s"), changed);
        const configuration = {
            type: "tungsten",
            request: "launch",
            name: "Edited Machine Code",
            program: "${workspaceFolder}/edited.tgsi",
            target: "polaris10",
            machineCode: "edited.s",
            stopOnEntry: true,
        };
        await mkdir(place(".vscode"), { recursive: true });
        const launch = { version: "0.2.0", configurations: [configuration] };
        await writeFile(place(".vscode/launch.json"), JSON.stringify(launch, undefined, 4));
        source = await stage.open("edited.tgsi");
        const open = () => page.keyboard.press("Control+P");
        await stage.pick(open, "debug Edited Machine Code", "Edited Machine Code");
        await toolbar.waitFor();
        await standsAt("MUL TEMP[0]");
        await says("the machine code differs from the interpreter: OUT[0].x");
        await stage.runCommand("View: Show Run and Debug");
        const filter = page.locator(".part.sidebar .monaco-list-row", { hasText: "First difference of machine code" });
        await filter.locator("input, .monaco-checkbox").first().click();
        await press("Continue");
        await eventually(
            "the reason",
            () => page.locator(".exception-widget").allInnerTexts(),
            (texts) => texts.join().includes("the machine code differs: OUT[0].x"),
        );
        await seesRow("MUL OUT[0]");
        await stage.picture("debugging-difference");
        await filter.locator("input, .monaco-checkbox").first().click();
        await press("Stop");
        await toolbar.waitFor({ state: "hidden" });
    });

    await step("the compiled view follows the run", async () => {
        source = await stage.open("edited.tgsi");
        await stage.figures(source);
        await source.root.locator(".codelens-decoration a").first().click();
        const code = stage.editor(".gcn");
        await eventually(
            "machine code",
            () => code.text(),
            (text) => machineCode.test(text),
        );
        await source.clickLine("IMM[0] FLT32");
        await stage.runCommand("Tungsten: Debug This Shader or Kernel");
        await toolbar.waitFor();
        const follows = (statement) =>
            eventually(
                `the machine code of ${statement}`,
                () => code.linked(stage.linkedColour),
                (lines) => holds(lines, statement),
            );
        await follows("0: MUL TEMP[0]");
        await press("Step Over");
        await follows("1: MUL OUT[0]");
        await stage.picture("debugging-compiled");
        await press("Step Back");
        await follows("0: MUL TEMP[0]");
        await press("Stop");
        await toolbar.waitFor({ state: "hidden" });
    });

    await step("what a clock says may differ", async () => {
        source = await stage.open("clock.tgsi");
        await stage.runCommand("Tungsten: Debug This Shader with Its Machine Code");
        await toolbar.waitFor();
        await standsAt("MOV TEMP[0]");
        await says("interpreter and machine code agree");
        await press("Stop");
        await toolbar.waitFor({ state: "hidden" });
    });

    await step("what cannot be debugged says why", async () => {
        await stage.open("kernel.gcn");
        await stage.runCommand("Tungsten: Debug This Shader or Kernel");
        const dialog = page.locator(".monaco-dialog-box");
        await eventually(
            "the reason",
            () => dialog.allInnerTexts(),
            (texts) => texts.join().includes("kernel.gcn:5"),
        );
        await dialog.locator(".monaco-button", { hasText: "Cancel" }).click();
    });

    await step("no adapter is left behind", async () => {
        const { width, height } = page.viewportSize();
        await page.setViewportSize({ width, height: height - 340 });
        await eventually(
            "none",
            () => stage.adapterProcesses(),
            (ids) => ids.length === 0,
        );
    });
}
