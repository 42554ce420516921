// A window of the editor, and what a user does in it: the ground that all parts
// of the run stand on. A part begins with its own files and nothing else open.
import { mkdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { Editor, eventually } from "./editor.mjs";

/** A line of machine code. */
export const machineCode = /^\s*[sv]_[a-z]\w+/m;

/** Whether one of the lines holds a text. */
export const holds = (lines, text) => lines.some((line) => line.text.includes(text));

/** A list that the editor shows over its lines: of commands, files, chips. */
const list = ".quick-input-list .monaco-list-row";

export class Stage {
    passed = 0;
    failed = 0;

    /**
     * @param {import("playwright-core").Page} page
     * @param {{ workspace: string, server: string, artefacts: string, example: string }} places
     * @param {string} linkedColour how the colour of linked lines begins
     */
    constructor(page, places, exampleLines, linkedColour) {
        this.page = page;
        Object.assign(this, places);
        this.exampleLines = exampleLines;
        this.linkedColour = linkedColour;
        this.texture = this.instruction("TEX");
        this.step = this.step.bind(this);
    }

    /** The first line of the example that has an opcode. */
    instruction(opcode) {
        const found = this.exampleLines.find((line) => new RegExp(`^\\s*(\\d+:\\s*)?${opcode}\\b`).test(line));
        if (found === undefined) {
            throw new Error(`the example has no ${opcode}`);
        }
        return found.trim();
    }

    /** One step; those of a part build on each other, so a failure ends the part. */
    async step(what, run) {
        const began = Date.now();
        try {
            await run();
            this.passed += 1;
            console.log(`ok ${what} (${Date.now() - began} ms)`);
        } catch (error) {
            this.failed += 1;
            console.log(`not ok ${what}\n${error.stack}`);
            await this.picture(`failure-${this.failed}`).catch(() => undefined);
            throw error;
        }
    }

    picture(name) {
        return this.page.screenshot({ path: path.join(this.artefacts, `vscode-${name}.png`) });
    }

    editor(name) {
        return new Editor(this.page, name);
    }

    /** Picks the row of the list in front that holds a text, after typing a text that finds it. */
    async pick(typed, row = typed) {
        await this.page.locator(".quick-input-widget input").first().fill(typed);
        await this.page.locator(list, { hasText: row }).first().click();
    }

    async runCommand(title) {
        await this.showPalette();
        await this.pick(`>${title}`, title);
    }

    /** Keys that come while a page in the editor takes the focus are lost: a user would press again. */
    async showPalette() {
        const input = this.page.locator(".quick-input-widget input").first();
        await eventually(
            "the list of commands",
            async () => {
                await this.page.keyboard.press("F1");
                await input.waitFor({ timeout: 2_000 });
                return input.inputValue();
            },
            (value) => value.startsWith(">"),
        );
    }

    /** The commands that the palette offers for a text. */
    async offeredCommands(text) {
        await this.showPalette();
        await this.page.locator(".quick-input-widget input").first().fill(`>${text}`);
        const rows = await eventually("a list", () => this.page.locator(list).allInnerTexts(), (all) => all.length > 0);
        await this.page.keyboard.press("Escape");
        return rows;
    }

    /** Names a chip to a command that asks for one. */
    async pickChip(name) {
        // The command's own list is there only after that of the commands is gone.
        const input = this.page.locator('.quick-input-widget input[placeholder*="chip"]');
        await input.fill(name);
        await this.page.locator(list, { hasText: name }).first().click();
    }

    /** Opens a file of the folder. */
    async open(file) {
        await this.page.keyboard.press("Control+p");
        await this.pick(file);
        const editor = this.editor(file);
        await eventually(`${file} is shown`, () => editor.text(), (text) => text.trim().length > 0);
        return editor;
    }

    /** Leaves nothing open and nothing changed but what the disk holds. */
    async beginPart(settings = {}) {
        await this.useSettings(settings);
        await this.page.keyboard.press("Escape");
        await this.runCommand("File: Save All Files");
        await this.runCommand("View: Close All Editors");
        if (await this.page.locator(".part.panel").isVisible()) {
            await this.page.keyboard.press("Control+j");
        }
        // What a part that failed had begun to write.
        const unsaved = this.page.locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" });
        const open = async () => {
            if (await unsaved.isVisible()) {
                await unsaved.click();
            }
            return this.page.locator(".tab").count();
        };
        await eventually("nothing open", open, (count) => count === 0);
    }

    /** The settings of the folder, with the server that is tested. */
    async useSettings(settings = {}) {
        const all = { "tungsten.server.path": this.server, ...settings };
        await mkdir(path.join(this.workspace, ".vscode"), { recursive: true });
        await writeFile(path.join(this.workspace, ".vscode", "settings.json"), JSON.stringify(all));
    }

    /** Writes another instruction before the last one of a copy of the example. */
    async writeCosine(editor) {
        await editor.clickLine(this.instruction("END"));
        await this.page.keyboard.press("Home");
        await this.page.keyboard.press("Enter");
        await this.page.keyboard.press("ArrowUp");
        await this.page.keyboard.type("COS OUT[0].x, TEMP[0].xxxx");
        await this.page.keyboard.press("Escape");
    }

    statusItem(name) {
        return this.page.locator(`.statusbar-item[id*="${name}"]`);
    }

    /** The line of the cursor, as the status bar tells it, from 1. */
    cursorLine() {
        return this.statusItem("status.editor.selection")
            .innerText()
            .then((text) => Number(text.match(/Ln (\d+)/)?.[1]));
    }

    groups() {
        return this.page.locator(".editor-group-container").count();
    }

    /** The messages in sight. */
    notifications() {
        return this.page.locator(".notification-list-item").allInnerTexts();
    }

    /** Waits for the line of figures above a shader or kernel. */
    figures(editor) {
        return eventually(`figures of ${editor.name}`, () => editor.lenses(), (lenses) => lenses.some((lens) => /VGPR/.test(lens)));
    }
}
