// How long it takes from a clone to the first compiled line in VS Code: the commands of
// the extension's README, run and timed as they stand there, in a folder of their own and
// with nothing built before. What cargo and npm have downloaded before is not downloaded
// again.
//
//   newcomer.mjs TOOLS WORK REPOSITORY
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { Editor, eventually } from "./editor.mjs";
import { startWorkbench } from "./workbench.mjs";

const [tools, work, repository] = process.argv.slice(2, 5).map((place) => path.resolve(place));
const clone = path.join(work, "tungsten");
await mkdir(work, { recursive: true });

/** The editor's program: installs into the editor that is started below. */
const code = path.join(work, "code");
await writeFile(code, "#!/bin/sh\n");
await chmod(code, 0o755);

const began = Date.now();
const seconds = () => Math.round((Date.now() - began) / 1000);
const environment = { ...process.env, CODE: code };
delete environment.CARGO_TARGET_DIR;
const run = (program, words) => {
    execFileSync(program, words, { env: environment, stdio: ["ignore", "ignore", "inherit"] });
    console.log(`${String(seconds()).padStart(5)} s  ${path.basename(program)} ${words[0] ?? ""}`);
};
run("git", ["clone", "--quiet", repository, clone]);
run(path.join(clone, "editors/vscode/install"), []);

const built = (await readdir(path.join(clone, "editors/vscode"))).filter((name) => name.endsWith(".vsix"));
assert.equal(built.length, 1, `one package: ${built}`);
const extension = path.join(clone, "editors/vscode", built[0]);
const workbench = await startWorkbench({ tools, folder: path.join(work, "vscode"), extension });
try {
    await workbench.open(path.join(clone, "examples"));
    await workbench.page.locator(".explorer-folders-view .monaco-list-row", { hasText: "lit_texture.tgsi" }).dblclick();
    const source = new Editor(workbench.page, "lit_texture.tgsi");
    const isCompiled = (lines) => lines.some(({ text }) => /\d GCN/.test(text));
    await eventually("a compiled line", () => source.lines(), isCompiled, 120);
    console.log(`${String(seconds()).padStart(5)} s  the first compiled line`);
} finally {
    await workbench.stop();
}
