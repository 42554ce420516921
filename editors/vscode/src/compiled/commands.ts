// The commands that open compiled code, in its several views and for several
// chips.

import * as vscode from "vscode";
import type { Server } from "../client";
import type { CompiledCode, CompiledCodeReference, View } from "../protocol";
import { ageOf } from "./decorations";
import { askForCompiledCode, type CompiledView, type Wish } from "./view";
import type { CompiledViews } from "./views";

/** The languages whose grammars colour the views. */
const languages: Record<View, string> = {
    code: "gcn",
    ir: "tungsten-ir",
    spirv: "plaintext",
    glsl: "plaintext",
    hosts: "plaintext",
    hex: "gcn",
    registers: "plaintext",
    waits: "plaintext",
};

/** The hosts that virglrenderer is asked for; the server takes more words behind each. */
const hosts = "gl33 gl40 gl41 gl42 gl43 gl44 gl45 gl46 gles30 gles31 gles32".split(" ");

/** Where an editor is opened: beside the active one, in its group, or in a group. */
type Place = "beside" | "here" | vscode.ViewColumn;

export class CompiledCommands implements vscode.Disposable {
    readonly #subscriptions: vscode.Disposable[];

    constructor(
        private readonly server: Server,
        private readonly views: CompiledViews,
    ) {
        const register = vscode.commands.registerCommand;
        this.#subscriptions = [
            register("tungsten.openCompiledCode", (argument?: unknown) =>
                this.#open(isReference(argument) ? argument : undefined),
            ),
            register("tungsten.switchTarget", () => this.#switchTarget()),
            register("tungsten.openSecondTarget", () => this.#openSecondTarget()),
            register("tungsten.showIr", () => this.#showOther("ir")),
            register("tungsten.showSpirv", () => this.#showOther("spirv")),
            register("tungsten.showGlsl", () => this.#showGlsl()),
            register("tungsten.checkOnAllHosts", () => this.#showOther("hosts")),
            register("tungsten.showBytes", () => this.#showOther("hex")),
            register("tungsten.explainRegisters", () => this.#explain("registers")),
            register("tungsten.explainWait", () => this.#explain("waits")),
            register("tungsten.openSource", () => this.#openSource()),
        ];
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
    }

    /** Shows a view of a shader; a view that is in sight stays where it is. */
    async show(source: vscode.Uri, wish: Wish, place: Place): Promise<void> {
        const code = await this.#ask(source, wish);
        if (code === undefined) {
            return;
        }
        const view = this.views.adopt(source, code);
        const document = await vscode.workspace.openTextDocument(view.uri);
        await vscode.languages.setTextDocumentLanguage(document, languages[code.view]);
        await vscode.window.showTextDocument(document, {
            viewColumn: editorOf(view)?.viewColumn ?? columnOf(place),
            preserveFocus: place !== "here",
            preview: place === "here",
        });
        // The document may have been open, with the text of an earlier answer.
        if (this.server.client !== undefined) {
            await view.refresh(this.server.client);
        }
    }

    /** Opens the code that a lens names, else that of the shader at the cursor. */
    async #open(reference: CompiledCodeReference | undefined): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (reference !== undefined) {
            const { uri, shader, target } = reference;
            await this.show(vscode.Uri.parse(uri, true), { shader, target }, "beside");
        } else if (editor?.document.languageId === "tgsi") {
            await this.show(editor.document.uri, { position: editor.selection.active }, "beside");
        } else {
            void vscode.window.showInformationMessage("Open a TGSI file to see its compiled code.");
        }
    }

    async #ask(source: vscode.Uri, wish: Wish): Promise<CompiledCode | undefined> {
        const client = this.server.client;
        if (client === undefined) {
            const state = this.server.state;
            void vscode.window.showErrorMessage(
                state.kind === "failed" ? state.message : "The Tungsten server does not run.",
            );
            return undefined;
        }
        let code: CompiledCode | undefined;
        try {
            code = await askForCompiledCode(client, source, wish);
        } catch (error) {
            // An unknown chip, for one: the server's words say what is wrong.
            void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
            return undefined;
        }
        if (code === undefined) {
            void vscode.window.showInformationMessage("There is no shader to compile at the cursor.");
        } else if (code.state === "unavailable") {
            void vscode.window.showWarningMessage(ageOf(code) ?? "No compiled code.");
        }
        return code;
    }

    /** The shader in front of the user, with the editor that shows its machine code. */
    async #current(): Promise<
        { source: vscode.Uri; code: CompiledCode; shown: vscode.TextEditor | undefined } | undefined
    > {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined) {
            return undefined;
        }
        const uri = editor.document.uri;
        const view = this.views.of(uri) ?? this.views.ofSource(uri)[0];
        if (view !== undefined) {
            return { source: view.source, code: view.code, shown: editorOf(view) };
        }
        const code = await this.#ask(uri, { position: editor.selection.active });
        return code && { source: uri, code, shown: undefined };
    }

    /** Lets the user pick another chip for the shader in front of them. */
    async #switchTarget(): Promise<void> {
        const current = await this.#current();
        const target = current && (await pickTarget(current.code, "Compiled code for another chip"));
        if (current !== undefined && target !== undefined) {
            const { shader, view } = current.code;
            const isActive = current.shown !== undefined && current.shown === vscode.window.activeTextEditor;
            await this.show(current.source, { shader, target, view }, isActive ? "here" : "beside");
        }
    }

    /** Opens the code for one chip more, beside the one that is shown. */
    async #openSecondTarget(): Promise<void> {
        const current = await this.#current();
        const target = current && (await pickTarget(current.code, "Compiled code for a second chip, beside the first"));
        if (current === undefined || target === undefined) {
            return;
        }
        const { shader, view } = current.code;
        if (current.shown === undefined) {
            await this.show(current.source, { shader, target: current.code.target, view }, "beside");
        }
        const first = vscode.window.visibleTextEditors.find(
            ({ document }) => this.views.of(document.uri) !== undefined,
        );
        const column = current.shown?.viewColumn ?? first?.viewColumn;
        await this.show(current.source, { shader, target, view }, column === undefined ? "beside" : column + 1);
    }

    /** Shows another view of the shader in front of the user, in the group of its machine code. */
    async #showOther(view: View): Promise<void> {
        const current = await this.#current();
        if (current !== undefined) {
            const { shader, target } = current.code;
            await this.show(current.source, { shader, target, view }, current.shown?.viewColumn ?? "beside");
        }
    }

    /** Explains the costs of the shader or kernel in front of the user; the cursor's line is marked. */
    async #explain(view: "registers" | "waits"): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined) {
            return;
        }
        const shown = this.views.of(editor.document.uri);
        if (shown === undefined) {
            await this.show(editor.document.uri, { position: editor.selection.active, view }, "beside");
        } else {
            const { shader, target } = shown.code;
            await this.show(shown.source, { shader, target, view }, editor.viewColumn ?? "beside");
        }
    }

    /** Shows the GLSL that a host of the user's choice is handed. */
    async #showGlsl(): Promise<void> {
        const current = await this.#current();
        if (current === undefined) {
            return;
        }
        const title = "GLSL that virglrenderer hands to a host";
        const host = await vscode.window.showQuickPick(hosts, { title, placeHolder: "A host" });
        if (host !== undefined) {
            const wish: Wish = { shader: current.code.shader, target: host, view: "glsl" };
            await this.show(current.source, wish, current.shown?.viewColumn ?? "beside");
        }
    }

    /** Goes from machine code to the line it was compiled from. */
    async #openSource(): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        const view = editor && this.views.of(editor.document.uri);
        if (editor === undefined || view === undefined) {
            return;
        }
        const line = view.sourceLineOf(editor.selection.active.line) ?? 0;
        const shown = vscode.window.visibleTextEditors.find(
            (other) => other.document.uri.toString() === view.source.toString(),
        );
        await vscode.window.showTextDocument(view.source, {
            viewColumn: shown?.viewColumn ?? vscode.ViewColumn.Beside,
            selection: new vscode.Range(line, 0, line, 0),
        });
    }
}

/** The editor in sight that shows a view. */
function editorOf(view: CompiledView): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === view.uri.toString());
}

function columnOf(place: Place): vscode.ViewColumn {
    switch (place) {
        case "beside":
            return vscode.ViewColumn.Beside;
        case "here":
            return vscode.ViewColumn.Active;
        default:
            return place;
    }
}

function isReference(argument: unknown): argument is CompiledCodeReference {
    if (typeof argument !== "object" || argument === null) {
        return false;
    }
    const { uri, shader, target } = argument as Partial<Record<keyof CompiledCodeReference, unknown>>;
    return typeof uri === "string" && typeof shader === "number" && typeof target === "string";
}

/**
 * Lets the user pick one of the settings' chips or name any other: the server
 * knows which there are, and says so of one that it does not know.
 */
function pickTarget(code: CompiledCode, title: string): Promise<string | undefined> {
    const pick = vscode.window.createQuickPick();
    const known = code.targets.map((label) => ({
        label,
        ...(label === code.target && { description: "shown now" }),
    }));
    pick.title = title;
    pick.placeholder = "A chip of the settings, or any other: tahiti, bonaire, vega10, gfx803…";
    pick.items = known;
    return new Promise((resolve) => {
        pick.onDidChangeValue((value) => {
            const typed = value.trim().toLowerCase();
            const isNew = typed !== "" && !code.targets.includes(typed);
            pick.items = isNew ? [...known, { label: typed, description: "compile for it" }] : known;
        });
        pick.onDidAccept(() => {
            resolve(pick.selectedItems[0]?.label);
            pick.hide();
        });
        pick.onDidHide(() => {
            resolve(undefined);
            pick.dispose();
        });
        pick.show();
    });
}
