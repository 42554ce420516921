// The commands that open compiled code and switch its chip.

import * as vscode from "vscode";
import type { Server } from "../client";
import type { CompiledCode, CompiledCodeReference } from "../protocol";
import { ageOf } from "./decorations";
import { askForCompiledCode } from "./view";
import type { CompiledViews } from "./views";

export class CompiledCommands implements vscode.Disposable {
    readonly #subscriptions: vscode.Disposable[];

    constructor(
        private readonly server: Server,
        private readonly views: CompiledViews,
    ) {
        this.#subscriptions = [
            vscode.commands.registerCommand("tungsten.openCompiledCode", (argument?: unknown) =>
                this.#open(isReference(argument) ? argument : undefined),
            ),
            vscode.commands.registerCommand("tungsten.switchTarget", () => this.#switchTarget()),
            vscode.commands.registerCommand("tungsten.openSource", () => this.#openSource()),
        ];
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
    }

    /** Opens the code that a lens names, else that of the shader at the cursor. */
    async #open(reference: CompiledCodeReference | undefined): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (reference !== undefined) {
            const { uri, shader, target } = reference;
            await this.#show(vscode.Uri.parse(uri, true), { shader, target }, "beside");
        } else if (editor?.document.languageId === "tgsi") {
            await this.#show(editor.document.uri, { position: editor.selection.active }, "beside");
        } else {
            void vscode.window.showInformationMessage("Open a TGSI file to see its compiled code.");
        }
    }

    async #show(
        source: vscode.Uri,
        wished: { position?: vscode.Position; shader?: number; target?: string },
        place: "beside" | "here",
    ): Promise<void> {
        const code = await this.#ask(source, wished);
        if (code === undefined) {
            return;
        }
        const view = this.views.adopt(source, code);
        const document = await vscode.workspace.openTextDocument(view.uri);
        await vscode.languages.setTextDocumentLanguage(document, "gcn");
        const shown = vscode.window.visibleTextEditors.find(
            (editor) => editor.document.uri.toString() === view.uri.toString(),
        );
        await vscode.window.showTextDocument(document, {
            viewColumn:
                shown?.viewColumn ??
                (place === "here" ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside),
            preserveFocus: place === "beside",
            preview: place === "here",
        });
        // The document may have been open, with the text of an earlier answer.
        if (this.server.client !== undefined) {
            await view.refresh(this.server.client);
        }
    }

    async #ask(
        source: vscode.Uri,
        wished: { position?: vscode.Position; shader?: number; target?: string },
    ): Promise<CompiledCode | undefined> {
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
            code = await askForCompiledCode(client, source, wished);
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

    /** Lets the user pick another chip for the shader in front of them. */
    async #switchTarget(): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined) {
            return;
        }
        const view = this.views.of(editor.document.uri) ?? this.views.ofSource(editor.document.uri)[0];
        const source = view?.source ?? editor.document.uri;
        const code = view?.code ?? (await this.#ask(source, { position: editor.selection.active }));
        if (code === undefined) {
            return;
        }
        const target = await pickTarget(code);
        if (target !== undefined) {
            const isCompiled = this.views.of(editor.document.uri) !== undefined;
            await this.#show(source, { shader: code.shader, target }, isCompiled ? "here" : "beside");
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
function pickTarget(code: CompiledCode): Promise<string | undefined> {
    const pick = vscode.window.createQuickPick();
    const known = code.targets.map((label) => ({
        label,
        ...(label === code.target && { description: "shown now" }),
    }));
    pick.title = "Compiled code for another chip";
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
