// A window of the editor, and what a user does in it: the ground that all parts
// of the run stand on. A part begins with its own files and nothing else open.
import { mkdir, rename, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { Editor, eventually, repeatedly, settled } from "./editor.mjs";

/** A line of machine code. */
export const machineCode = /^\s*[sv]_[a-z]\w+/m;

/** Whether one of the lines holds a text. */
export const holds = (lines, text) => lines.some((line) => line.text.includes(text));

/** A row of the list that the editor shows over its lines: of commands, files, chips. */
const row = ".quick-input-list .monaco-list-row";

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

    /** The view of a shader on a chip or a host: `gcn`, `ll`, `hex`, `glsl` or `hosts`. */
    view(chip, ending) {
        return new Editor(this.page, `${chip}.`, `.${ending}`);
    }

    /**
     * Types into the list in front what finds a row, and takes the row. The list is opened
     * first, and again if something else takes the focus from it.
     * @param {() => Promise<void>} open
     * @param {string} typed
     * @param {string} words of the row
     * @param {string} kind tells the input of this list from that of the list before
     */
    async pick(open, typed, words = typed, kind = "") {
        const input = this.page.locator(`.quick-input-widget input${kind}`).first();
        const isOpen = () => input.isVisible();
        const offered = this.page.locator(row, { hasText: words });
        const isInFront = async () => (await this.page.locator(`${row}.focused`, { hasText: words }).count()) > 0;
        const find = async () => {
            if (!(await isOpen())) {
                await repeatedly("a list", open, isOpen, (is) => is);
            }
            await input.fill(typed, { timeout: 5_000 });
        };
        const isTaken = async () => !(await isOpen()) || (await input.inputValue({ timeout: 1_000 })) !== typed;
        const show = () =>
            repeatedly(
                `the row ${words}`,
                find,
                () => offered.count(),
                (count) => count > 0,
            );
        const take = async () => {
            // The list closes where something else takes the focus.
            if (!(await isOpen())) {
                await show();
            }
            await ((await isInFront()) ? this.page.keyboard.press("Enter") : offered.first().click({ timeout: 5_000 }));
        };
        await show();
        if (!(await isInFront())) {
            // The list of before still, or another row is found by the same words, too.
            await settled("the rows", () => this.page.locator(row).allInnerTexts());
        }
        await repeatedly("it is taken", take, isTaken, (is) => is);
    }

    runCommand(title) {
        return this.pick(() => this.page.keyboard.press("F1"), `>${title}`, title);
    }

    /** Chooses from the menu of a place. It may close itself, or take no click at first. */
    choose(place, words) {
        const choice = this.page.locator(".monaco-menu .action-item", { hasText: words }).first();
        const click = async () => {
            if (!(await choice.isVisible())) {
                await place.click({ button: "right", timeout: 3000 });
            }
            await choice.click({ timeout: 3000 });
        };
        return repeatedly(
            `the menu closed by ${words}`,
            click,
            () => choice.isVisible(),
            (isOpen) => !isOpen,
        );
    }

    /** Picks from the list of a command that asks for something. */
    pickFrom(command, placeholder, typed, words = typed) {
        return this.pick(() => this.runCommand(command), typed, words, `[placeholder*="${placeholder}"]`);
    }

    /** Opens a file of the folder by its name. */
    pickFile(name) {
        return this.pick(() => this.page.keyboard.press("Control+p"), name);
    }

    /** Renames what a word names. */
    async rename(word, name) {
        const box = this.page.locator(".rename-box input");
        const begin = async () => {
            await word.click();
            await this.page.keyboard.press("F2");
        };
        await repeatedly(
            "the box for the name",
            begin,
            () => box.isVisible(),
            (is) => is,
        );
        await box.fill(name);
        await this.page.keyboard.press("Enter");
    }

    /** Closes the editor in front. */
    async closeEditor() {
        const count = () => this.page.locator(".tab").count();
        const before = await count();
        await this.page.keyboard.press("Control+w");
        await eventually("one tab fewer", count, (now) => now < before);
    }

    /** Opens a file of the folder. */
    async open(file) {
        await this.pickFile(file);
        const editor = this.editor(file);
        await eventually(
            `${file} is shown`,
            () => editor.text(),
            (text) => text.trim().length > 0,
        );
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

    /** The settings of the folder, and of the user where only those count, with the server that is tested. */
    async useSettings(settings = {}) {
        const ofUser = ["tungsten.server.path", "tungsten.llvm", "tungsten.cache", "tungsten.trustedFolders"];
        const all = Object.entries({ "tungsten.server.path": this.server, ...settings });
        const isOfUser = ([key]) => ofUser.includes(key);
        await this.#write(this.machineSettings, all.filter(isOfUser));
        const folder = path.join(this.workspace, ".vscode", "settings.json");
        await this.#write(
            folder,
            all.filter((setting) => !isOfUser(setting)),
        );
    }

    /** Writes settings at once: half of a file would be other settings. */
    async #write(file, settings) {
        const whole = path.join(this.work, "settings.json");
        await writeFile(whole, JSON.stringify(Object.fromEntries(settings)));
        await mkdir(path.dirname(file), { recursive: true });
        await rename(whole, file);
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
        return eventually(
            `figures of ${editor.name}`,
            () => editor.lenses(),
            (lenses) => lenses.some((lens) => /VGPR/.test(lens)),
        );
    }
}
