// What a user keeps the extension by: first steps, settings, and what is told
// and done when something is missing, of another version, or dies.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { Editor, eventually } from "../editor.mjs";

/**
 * A program that runs the server where every libLLVM of this machine is hidden
 * from it; undefined where this machine does not let a process have a view of
 * its files of its own.
 */
async function serverWithoutCompiler({ server, work }) {
    try {
        execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" });
    } catch {
        return undefined;
    }
    const libraries = execFileSync(server, ["doctor"], { encoding: "utf8" }).match(/ \/\S*libLLVM\S*/g) ?? [];
    const hide = libraries.map((library) => `mount --bind /dev/null '${library.trim()}'`).join("\n");
    return program(path.join(work, "without-compiler"), `exec unshare --mount sh -ec "${hide}\nexec '${server}' $*"`);
}

/** A program that is the server, but calls itself of another version. */
async function serverOfAnotherVersion({ server, work }) {
    const script = path.join(work, "another-version.mjs");
    await writeFile(
        script,
        `import { spawn } from "node:child_process";
const server = spawn(${JSON.stringify(server)}, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(server.stdin);
const own = /("serverInfo":\\{[^}]*"version":")\\d+\\.\\d+\\.\\d+/;
// As long as the true one, which the message's length is told for.
const other = (all, before) => before + "9".repeat(all.length - before.length - 4) + ".9.9";
server.stdout.on("data", (bytes) => process.stdout.write(bytes.toString("latin1").replace(own, other), "latin1"));
server.on("exit", (status) => process.exit(status ?? 1));
`,
    );
    return program(path.join(work, "another-version"), `exec '${process.execPath}' '${script}' "$@"`);
}

async function program(file, lines) {
    await writeFile(file, `#!/bin/sh\n${lines}\n`);
    await chmod(file, 0o755);
    return file;
}

export async function upkeep(stage) {
    const { page, step, server } = stage;
    let source;
    const told = (words) =>
        eventually(
            `a message: ${words}`,
            () => stage.notifications(),
            (all) => all.some((one) => words.every((word) => one.includes(word))),
        );

    await step("the walkthrough leads to an example that compiles", async () => {
        await stage.pickFrom("Welcome: Open Walkthrough", "walkthrough", "Tungsten", "Get Started with");
        await page.locator(".getting-started-step", { hasText: "Open an example" }).first().waitFor();
        const widths = async () => {
            const ofFrame = (frame) =>
                frame.locator("img").evaluateAll((all) => all.map((image) => image.naturalWidth));
            return (await Promise.all(page.frames().map((frame) => ofFrame(frame).catch(() => [])))).flat();
        };
        await eventually("its picture, from the package", widths, (all) => all.some((width) => width > 1000));
        await stage.picture("walkthrough");
        await page.locator(".getting-started-step .monaco-button", { hasText: "Open an Example" }).first().click();
        await stage.figures(stage.editor("Untitled-1"));
        await stage.runCommand("View: Revert and Close Editor");
        await stage.runCommand("View: Close Editor");
    });

    await step("a change of the settings is taken at once", async () => {
        source = await stage.open("upkeep.tgsi");
        await stage.figures(source);
        await stage.useSettings({ "tungsten.targets": ["vega10", "bonaire"] });
        await eventually(
            "figures of the new chips",
            () => source.lenses(),
            (lenses) =>
                ["vega10", "bonaire"].every((chip) => lenses.some((lens) => lens.includes(chip))) &&
                !lenses.some((lens) => lens.includes("polaris10")),
        );
        await stage.useSettings();
        await eventually(
            "the first chip's",
            () => source.lenses(),
            (lenses) => lenses.some((lens) => lens.includes("polaris10")),
        );
    });

    await step("a server that is killed comes back by itself, and compiles what was typed", async () => {
        await stage.runCommand("Tungsten: Open Compiled Code");
        const code = stage.view("polaris10", "gcn");
        await eventually(
            "code",
            () => code.text(),
            (text) => text.includes("image_sample"),
        );
        const killed = await stage.serverProcesses();
        assert.equal(killed.length, 1, "one server");
        process.kill(killed[0], "SIGKILL");
        await source.clickLine(stage.instruction("TEX"));
        await page.keyboard.press("End");
        await page.keyboard.type("\nCOS TEMP[4].x, TEMP[4].xxxx");
        await eventually(
            "another server",
            () => stage.serverProcesses(),
            ([now]) => now !== undefined && now !== killed[0],
        );
        const folded = async () => {
            await code.root.click({ position: { x: 300, y: 300 } });
            await page.keyboard.press("Control+End");
            return code.text();
        };
        await eventually("the cosine", folded, (text) => text.includes("v_cos_f32"));
        await stage.runCommand("Tungsten: Restart the Server");
        const header = async () => {
            await code.scrollToTop();
            return code.lenses();
        };
        await eventually("current code", header, (lenses) => lenses.some((lens) => lens.includes("up to date")));
        assert.deepEqual(await stage.notifications(), [], "nobody had to be told");
    });

    await step("a question that an edit has overtaken is asked again", async () => {
        const list = path.join(stage.work, "interrupted");
        const interrupt = new URL("../../protocol/interrupt.py", import.meta.url).pathname;
        const interrupting = await program(
            path.join(stage.work, "interrupting"),
            `exec '${interrupt}' '${list}' '${server}' "$@"`,
        );
        await stage.useSettings({ "tungsten.server.path": interrupting });
        await eventually(
            "what it interrupts",
            () => readFile(list, "utf8"),
            () => true,
        );
        await stage.figures(source);
        await source.clickLine(stage.instruction("TEX"));
        await stage.runCommand("Tungsten: Show the Bytes");
        const bytes = stage.view("polaris10", "hex");
        await eventually(
            "the bytes",
            () => bytes.text(),
            (text) => /^[0-9A-F]{6} {2}([0-9A-F]{2} )+/m.test(text),
        );
        await stage.runCommand("Tungsten: Pin the Compiled Code to Compare With");
        await eventually(
            "that it is pinned",
            () => bytes.lenses(),
            (lenses) => lenses.some((lens) => lens.includes("as pinned")),
        );
        await stage.runCommand("Tungsten: Compare with the Pinned Code");
        const now = Editor.ofDifference(page, "modified");
        await eventually(
            "the comparison",
            () => now.text(),
            (text) => text.includes("instructions"),
        );
        await stage.closeEditor();
        await source.clickLine(stage.instruction("TEX"));
        await stage.runCommand("Tungsten: Unpin the Compiled Code");
        const sums = () => stage.statusItem("tungsten.costs").innerText();
        await eventually("the sums", sums, (text) => /clk$/.test(text.trim()));
        await stage.pickFile("binary.tgsib");
        await eventually(
            "tokens as text",
            () => stage.editor("binary.tgsib.tgsi").text(),
            (text) => text.includes("TEX TEMP"),
        );
        await stage.closeEditor();
        const kernel = await stage.open("kernel.gcn");
        await kernel.clickLine("twice 3");
        await stage.runCommand("Tungsten: Show What a Macro Expands To");
        const expansion = stage.editor("twice expanded.gcn");
        await eventually(
            "the expansion",
            () => expansion.text(),
            (text) => text.includes("v_add_f32 v3, v3, v3"),
        );
        const methods = [...new Set((await readFile(list, "utf8")).trim().split("\n"))].sort();
        const ours = ["compare", "compiledCode", "costs", "expandMacro", "pinBaseline", "unpinBaseline"];
        assert.deepEqual(methods, [...ours.map((name) => `tungsten/${name}`), "workspace/textDocumentContent"]);
        await stage.closeEditor();
    });

    await step("a server of another version is told of", async () => {
        await stage.useSettings({ "tungsten.server.path": await serverOfAnotherVersion(stage) });
        const own = JSON.parse(
            await readFile(new URL("../../../../editors/vscode/package.json", import.meta.url), "utf8"),
        ).version;
        await told([`this extension of ${own}`, "9.9"]);
        await page.locator(".notification-list-item").first().hover();
        await stage.runCommand("Notifications: Clear All Notifications");
    });

    const withoutCompiler = await serverWithoutCompiler(stage);
    if (withoutCompiler === undefined) {
        console.log("skipped: without a compiler one message says what works (libLLVM cannot be hidden here)");
    } else {
        await step("without a compiler one message says what works and how to get it", async () => {
            await stage.useSettings({ "tungsten.server.path": withoutCompiler });
            await told(["not compiled", "How to Get It"]);
            assert.equal((await stage.notifications()).length, 1, "nothing else is shown");
            await stage.picture("without-compiler");
            await page.locator(".notification-list-item a", { hasText: "How to Get It" }).click();
            await page.locator(".getting-started-step", { hasText: "compiler comes from" }).first().waitFor();
            await page.locator(".tab.active", { hasText: "Welcome" }).click();
            await stage.closeEditor();
            await stage.useSettings();
            await stage.figures(source);
        });
    }

    await step("a missing server is reported with what to do", async () => {
        await stage.useSettings({ "tungsten.server.path": path.join(stage.workspace, "no-such-program") });
        await told(["no-such-program", "Open Settings"]);
        await stage.runCommand("Notifications: Clear All Notifications");
        await stage.useSettings({ "tungsten.server.path": server });
        await stage.figures(source);
    });
}
