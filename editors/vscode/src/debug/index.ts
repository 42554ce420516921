// Debugging shaders and kernels: the adapter is the server's own program.

import * as path from "node:path";
import * as vscode from "vscode";
import * as configuration from "../configuration";
import { findServer } from "../server";
import { examples } from "../welcome";
import { LineValues } from "./lines";
import { OriginsView, registerAt } from "./origins";

const type = "tungsten";
const languages = ["tgsi", "gcn"];

/** Starts the adapter, for the folders that the user opened alone. */
class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
    constructor(private readonly extensionPath: string) {}

    async createDebugAdapterDescriptor(session: vscode.DebugSession): Promise<vscode.DebugAdapterDescriptor> {
        const opened = vscode.workspace.workspaceFolders?.map((folder) => folder.uri.fsPath);
        const program = String(session.configuration["program"] ?? "");
        // Without a workspace no file of a project can have named the program.
        const folders = [...(opened ?? [path.dirname(program)]), examples(this.extensionPath)];
        const words = [...configuration.trustedFolderArguments(), "dap", "--", ...folders];
        return new vscode.DebugAdapterExecutable(await findServer(this.extensionPath), words);
    }
}

/** What is debugged where nothing is configured: the file in front. */
const configurations: vscode.DebugConfigurationProvider = {
    async resolveDebugConfiguration(_, given) {
        return given.type ? given : await ofActive();
    },
};

async function ofActive(): Promise<vscode.DebugConfiguration | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !languages.includes(document.languageId)) {
        void vscode.window.showInformationMessage("Open a TGSI shader or a GCN kernel to debug it.");
        return undefined;
    }
    const program = document.fileName;
    const common = { type, request: "launch", name: path.basename(program), program, stopOnEntry: true };
    const inputs = document.languageId === "gcn" ? await inputsBeside(program) : undefined;
    return inputs === undefined ? common : { ...common, inputs };
}

/** A kernel has no line that names its inputs: those beside it count, such as `saxpy.inputs.toml`. */
async function inputsBeside(program: string): Promise<string | undefined> {
    const beside = `${program.replace(/\.[^./\\]*$/, "")}.inputs.toml`;
    try {
        await vscode.workspace.fs.stat(vscode.Uri.file(beside));
        return beside;
    } catch {
        return undefined;
    }
}

/** What runs beside the interpreter. */
type Beside = "nothing" | "machine code";

async function debugActive(beside: Beside, shader?: number): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    // The adapter reads the file.
    if (document?.isDirty) {
        await document.save();
    }
    const own = await ofActive();
    if (own === undefined) {
        return;
    }
    const target = beside === "machine code" ? configuration.targets()[0] : undefined;
    const chosen = { ...own, ...(shader === undefined ? {} : { shader }), ...(target === undefined ? {} : { target }) };
    await vscode.debug.startDebugging(document && vscode.workspace.getWorkspaceFolder(document.uri), chosen);
}

/** *Debug* above each shader of a file. */
const lenses: vscode.CodeLensProvider = {
    provideCodeLenses(document) {
        const heads: vscode.Range[] = [];
        for (let line = 0; line < document.lineCount; line += 1) {
            const { text, range } = document.lineAt(line);
            if (/^\s*(VERT|FRAG|GEOM|TESS_CTRL|TESS_EVAL|COMP)(\d+\.\d+)?\s*$/.test(text)) {
                heads.push(range);
            }
        }
        return heads.flatMap((range, at) => [
            new vscode.CodeLens(range, { title: "Debug", command: "tungsten.debug", arguments: [at + 1] }),
            new vscode.CodeLens(range, {
                title: "Debug with Machine Code",
                command: "tungsten.debugMachineCode",
                arguments: [at + 1],
            }),
        ]);
    },
};

/** The register under the mouse. */
const expressions: vscode.EvaluatableExpressionProvider = {
    provideEvaluatableExpression(document, position) {
        const range = registerAt(document, position);
        return range && new vscode.EvaluatableExpression(range, document.getText(range));
    },
};

/** The number of a shader, which only a lens names: menus hand over a file. */
function numbered(argument: unknown): number | undefined {
    return typeof argument === "number" ? argument : undefined;
}

/** All of debugging. */
export function debugging(extensionPath: string): vscode.Disposable {
    const lines = new LineValues();
    return vscode.Disposable.from(
        vscode.debug.registerDebugAdapterDescriptorFactory(type, new AdapterFactory(extensionPath)),
        vscode.debug.registerDebugConfigurationProvider(type, configurations),
        vscode.languages.registerEvaluatableExpressionProvider(languages, expressions),
        vscode.languages.registerCodeLensProvider("tgsi", lenses),
        vscode.languages.registerInlineValuesProvider(languages, lines),
        lines,
        new OriginsView(),
        vscode.commands.registerCommand("tungsten.debug", (shader) => debugActive("nothing", numbered(shader))),
        vscode.commands.registerCommand("tungsten.debugMachineCode", (shader) =>
            debugActive("machine code", numbered(shader)),
        ),
    );
}
