// What macro calls expand to, each as a read-only document beside its source.
//
// A document stays with its call while lines are written above it, and follows
// every edit of the source.

import * as vscode from "vscode";
import { ask } from "./ask";
import type { Server } from "./client";
import { type ExpandMacroReference, expandMacroRequest, expansionScheme } from "./protocol";

/** The place in a source whose call a document shows. */
interface Call {
    source: vscode.Uri;
    position: vscode.Position;
}

/** Serves such documents and the command that opens them. */
export class Expansions implements vscode.TextDocumentContentProvider, vscode.Disposable {
    readonly #changed = new vscode.EventEmitter<vscode.Uri>();
    /** The calls that are shown, by the URI of what shows them. */
    readonly #calls = new Map<string, Call>();
    readonly #subscriptions: vscode.Disposable[];

    readonly onDidChange = this.#changed.event;

    constructor(private readonly server: Server) {
        this.#subscriptions = [
            this.#changed,
            vscode.workspace.registerTextDocumentContentProvider(expansionScheme, this),
            vscode.commands.registerCommand("tungsten.expandMacro", (argument?: unknown) =>
                this.#open(isReference(argument) ? argument : undefined),
            ),
            vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
            vscode.workspace.onDidCloseTextDocument((document) => this.#calls.delete(document.uri.toString())),
        ];
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
    }

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const call = this.#calls.get(uri.toString());
        const text = call && (await this.#ask(call));
        return text ?? "// Nothing is expanded there any more.\n";
    }

    /** Shows the call that a code action names, else the one at the cursor. */
    async #open(reference: ExpandMacroReference | undefined): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        let call: Call;
        if (reference !== undefined) {
            const { line, character } = reference.position;
            call = { source: vscode.Uri.parse(reference.uri, true), position: new vscode.Position(line, character) };
        } else if (editor?.document.languageId === "gcn") {
            call = { source: editor.document.uri, position: editor.selection.active };
        } else {
            void vscode.window.showInformationMessage("Open an assembly file to see what its macros expand to.");
            return;
        }
        let text: string | undefined;
        try {
            text = await this.#ask(call);
        } catch (error) {
            void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
            return;
        }
        if (text === undefined) {
            void vscode.window.showInformationMessage("There is no macro call or repetition at the cursor.");
            return;
        }
        const source = await vscode.workspace.openTextDocument(call.source);
        const line = source.lineAt(call.position.line).text;
        const name = /[\w.$]+/.exec(line)?.[0] ?? "macro";
        const query = `${call.source.toString()}#${call.position.line}`;
        const uri = vscode.Uri.from({ scheme: expansionScheme, path: `/${name} expanded.gcn`, query });
        this.#calls.set(uri.toString(), call);
        const document = await vscode.workspace.openTextDocument(uri);
        await vscode.languages.setTextDocumentLanguage(document, "gcn");
        this.#changed.fire(uri);
        await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    }

    /** What a call expands to; nothing where none stands there. */
    async #ask({ source, position }: Call): Promise<string | undefined> {
        const answer = await this.server.answer((client) =>
            ask(client, expandMacroRequest, {
                textDocument: { uri: client.code2ProtocolConverter.asUri(source) },
                position: client.code2ProtocolConverter.asPosition(position),
            }),
        );
        return answer?.text;
    }

    #follow(event: vscode.TextDocumentChangeEvent): void {
        const changed = event.document.uri.toString();
        for (const [shown, call] of this.#calls) {
            if (shown === changed || event.contentChanges.length === 0 || event.document.languageId !== "gcn") {
                continue;
            }
            if (call.source.toString() === changed) {
                for (const { range, text } of event.contentChanges) {
                    if (range.end.isBeforeOrEqual(call.position)) {
                        const lines = text.split("\n").length - 1 - (range.end.line - range.start.line);
                        call.position = call.position.translate(lines);
                    }
                }
            }
            // Any other assembly may be included by it.
            this.#changed.fire(vscode.Uri.parse(shown, true));
        }
    }
}

function isReference(argument: unknown): argument is ExpandMacroReference {
    if (typeof argument !== "object" || argument === null) {
        return false;
    }
    const { uri, position } = argument as Partial<Record<keyof ExpandMacroReference, unknown>>;
    return typeof uri === "string" && typeof position === "object" && position !== null;
}
