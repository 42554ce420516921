// Drives the real VS Code, with the packaged extension and the real server, as
// a user would: by mouse and keys, judged by what is on the screen.
//
//   run.mjs TOOLS WORK EXTENSION SERVER EXAMPLE ARTEFACTS [PART…]
//
// The parts stand each for itself; without names all of them run, but for the
// pictures of the READMEs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { advice } from "./parts/advice.mjs";
import { appearance } from "./parts/appearance.mjs";
import { baseline } from "./parts/baseline.mjs";
import { compiled } from "./parts/compiled.mjs";
import { costs } from "./parts/costs.mjs";
import { debugging } from "./parts/debugging.mjs";
import { files } from "./parts/files.mjs";
import { folding } from "./parts/folding.mjs";
import { moving } from "./parts/moving.mjs";
import { panel } from "./parts/panel.mjs";
import { pictures } from "./parts/pictures.mjs";
import { products } from "./parts/products.mjs";
import { source } from "./parts/source.mjs";
import { typing, typingShader } from "./parts/typing.mjs";
import { upkeep } from "./parts/upkeep.mjs";
import { views } from "./parts/views.mjs";
import { window } from "./parts/window.mjs";
import { Stage } from "./stage.mjs";
import { startWorkbench } from "./workbench.mjs";

const parts = {
    source,
    typing,
    compiled,
    costs,
    views,
    folding,
    baseline,
    panel,
    files,
    products,
    advice,
    window,
    appearance,
    debugging,
    upkeep,
};

const [tools, work, extension, server, example, artefacts] = process.argv
    .slice(2, 8)
    .map((place) => path.resolve(place));
const onDemand = { moving, pictures };
const wanted = process.argv.length > 8 ? process.argv.slice(8) : Object.keys(parts);
for (const name of wanted) {
    const known = Object.keys({ ...parts, ...onDemand });
    assert(known.includes(name), `'${name}' is none of ${known.join(", ")}`);
}

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
const macroLines = [".macro twice reg", "  v_add_f32 v\\reg, v\\reg, v\\reg", ".endm", ""];
/** Texts for files of a name that belongs to many machines: ours, and another's. */
const ours = "  v_mov_b32 v0, 1.0\n  s_endpgm\n";
const foreign = "  mov eax, 1\n  ret\n";
/** Sources with a shader, and a log of a driver, each with an error. */
const sources = {
    rs: `const FRAG: &str = "FRAG\\n\\
    DCL OUT[0], COLOR\\n\\
    MVO OUT[0], OUT[0]\\n\\
    END\\n";
fn main() {}
`,
    go: `package main
const frag = "FRAG\\n" +
\t"DCL OUT[0], COLOR\\n" +
\t"MVO OUT[0], OUT[0]\\n" +
\t"END\\n"
func main() {}
`,
    c: `static const char frag[] = "FRAG\\n"
    "DCL IN[0], GENERIC[%d], LINEAR\\n"
    "DCL OUT[0], COLOR\\n"
    "MVO OUT[0], IN[0]\\n"
    "END\\n";
int main(void) { return 0; }
`,
};
/** The same languages without a shader. */
const plainSources = {
    rs: "// DCL and END of no shader\nfn main() {}\n",
    go: "package main\n\n// DCL and END of no shader\nfunc main() {}\n",
    c: "/* DCL and END of no shader */\nint main(void) { return 0; }\n",
};
const log = "vs: 1 TGSI:\nFRAG\nDCL OUT[0], COLOR\n  0: MVO OUT[0], OUT[0]\n  1: END\n";
/** A loop, so that there is more than one block of machine code. */
const branches = `FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0][0..1]
DCL TEMP[0..1], LOCAL
IMM[0] FLT32 {0.0, 1.0, 0.5, 8.0}
  0: MOV TEMP[0], IMM[0].xxxx
  1: MOV TEMP[1].x, IMM[0].xxxx
  2: BGNLOOP
  3:   SGE TEMP[1].y, TEMP[1].xxxx, CONST[0][0].xxxx
  4:   IF TEMP[1].yyyy
  5:     BRK
  6:   ENDIF
  7:   MAD TEMP[0], TEMP[0], IN[0], CONST[0][1]
  8:   ADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy
  9: ENDLOOP
 10: MOV OUT[0], TEMP[0]
 11: END
`;

/** A loop of five rounds, whatever it is given. */
const rounds = `FRAG
DCL OUT[0], COLOR
DCL TEMP[0..1], LOCAL
IMM[0] FLT32 {0.0, 1.0, 5.0, 0.0}
  0: MOV TEMP[0], IMM[0].xxxx
  1: BGNLOOP
  2:   SGE TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz
  3:   IF TEMP[1].xxxx
  4:     BRK
  5:   ENDIF
  6:   ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  7: ENDLOOP
  8: MOV OUT[0], TEMP[0]
  9: END
`;
/** A shader whose machine code a part edits, and what it is run on. */
const edited = `# tungsten: color-format=32_abgr run=edited.inputs.toml
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0], LOCAL
IMM[0] FLT32 {0.25, 0.0, 0.0, 0.0}
  0: MUL TEMP[0], IN[0], IN[0]
  1: MUL OUT[0], TEMP[0], IMM[0].xxxx
  2: END
`;
/** A clock, which every executor counts its own way: no value of it is wrong. */
const clock = `FRAG
DCL OUT[0], COLOR
DCL TEMP[0], LOCAL
IMM[0] FLT32 {0.0, 1.0, 5.0, 0.0}
  0: MOV TEMP[0], IMM[0].xyxy
  1: CLOCK TEMP[0].xy
  2: MOV OUT[0], TEMP[0]
  3: END
`;

/** A file that is kept as hexadecimal digits. */
async function fromDigits(place) {
    const digits = await readFile(new URL(place, import.meta.url), "utf8");
    return Buffer.from(digits.replaceAll(/#.*|\s/g, ""), "hex");
}

/** All files of the folder. They are there from the start: the editor looks only now and then. */
async function fillFolder(workspace) {
    await mkdir(workspace, { recursive: true });
    const write = (name, content) => writeFile(path.join(workspace, name), content);
    for (const part of Object.keys(parts)) {
        await copyFile(example, path.join(workspace, `${part}.tgsi`));
    }
    await copyFile(example, path.join(workspace, path.basename(example)));
    const inputs = "lit_texture.inputs.toml";
    await copyFile(path.join(path.dirname(example), inputs), path.join(workspace, inputs));
    for (const name of ["zero_normal.tgsi", "zero_normal.inputs.toml"]) {
        await copyFile(path.join(path.dirname(example), name), path.join(workspace, name));
    }
    await write("values.tgsi", `# tungsten: run=${inputs} lane=0\n${await readFile(example, "utf8")}`);
    await write("typing.tgsi", typingShader);
    await write("branches.tgsi", branches);
    await write("rounds.tgsi", rounds);
    await write("clock.tgsi", clock);
    await write("edited.tgsi", edited);
    await write("edited.inputs.toml", "[in]\n0 = [1.0, 2.0, 3.0, 4.0]\n");
    await write("binary.tgsib", execFileSync(server, ["tokens", "--encode", "--raw", example]));
    await write("object.co", await fromDigits("../code_object.hex"));
    await write("products.co", await fromDigits("../products.hex"));
    const products = new URL("../../data/gcn/llvm/bytes_gfx942.s", import.meta.url);
    await write("products.gcn", await readFile(products));
    const slow = new URL("../../data/advice/spoiled/rows_early_waits.s", import.meta.url);
    await write("slow.gcn", await readFile(slow));
    const bundle = new URL("../../data/gcn/bundle/three_chips_zstd.hipfb", import.meta.url);
    await write("bundle.hipfb", await readFile(bundle));
    await write("macros.inc", macroLines.join("\n"));
    await write("kernel.gcn", kernelLines.join("\n"));
    for (const ending of ["s", "asm", "isa"]) {
        await write(`ours.${ending}`, ours);
    }
    await write("chooses.s", '.if (.amdgcn.gfx_generation_number == 9)\n.include "macros.inc"\n.endif\n');
    await write("foreign.s", foreign);
    // In a folder: the explorer shows so many names, and one that it does not show is not there.
    await mkdir(path.join(workspace, "sources"));
    for (const [extension, text] of Object.entries(sources)) {
        await write(`sources/shader.${extension}`, text);
        await write(`sources/plain.${extension}`, plainSources[extension]);
    }
    await write("driver.log", log);
    await write("later.log", log);
}

const workspace = path.join(work, "workspace");
await fillFolder(workspace);
await mkdir(artefacts, { recursive: true });
const workbench = await startWorkbench({ tools, folder: path.join(work, "vscode"), extension });
const stage = new Stage(
    workbench.page,
    {
        workspace,
        work,
        server,
        artefacts,
        machineSettings: workbench.machineSettings,
        serverProcesses: () => workbench.languageServers(),
        adapterProcesses: () => workbench.debugAdapters(),
    },
    (await readFile(example, "utf8")).split("\n"),
    linkedColour,
);
try {
    await stage.step("the workbench opens", async () => {
        await stage.useSettings();
        await workbench.open(workspace);
        await stage.page.waitForSelector(".monaco-workbench .explorer-folders-view .monaco-list-row");
    });
    for (const [at, name] of wanted.entries()) {
        try {
            if (at > 0) {
                await stage.beginPart();
            }
            await { ...parts, ...onDemand }[name](stage);
        } catch (error) {
            // Reported by its step, or here; the other parts still run.
            console.log(`the part '${name}' ended: ${error.message.split("\n")[0]}`);
            stage.failed += stage.failed === 0 ? 1 : 0;
        }
    }
    await stage.step("nothing outside this machine was asked for", async () => {
        assert.deepEqual([...workbench.outside], []);
    });
    await stage
        .step("the editor's own logs hold no error and no warning of ours", async () => {
            const complaints = await workbench.complaints();
            assert.equal(
                complaints.length,
                0,
                complaints
                    .slice(0, 20)
                    .map((line) => line.slice(0, 1500))
                    .join("\n"),
            );
        })
        .catch(() => undefined);
} finally {
    await workbench.stop();
}
console.log(`vscode: ${stage.passed} passed, ${stage.failed} failed`);
process.exitCode = stage.failed === 0 && stage.passed > 0 ? 0 : 1;
