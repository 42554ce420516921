// Files of bytes, shown as the text they stand for: binary tokens and code objects, alone, in
// bundles and in programs.
//
// The editor cannot be told to show a binary file as text of another document.
// So a custom editor takes the file's tab, opens the text in its place and
// closes itself.

import * as vscode from "vscode";
import { ask } from "./ask";
import type { Server } from "./client";
import { type CodeObject, decodedScheme, listCodeObjectsRequest, textDocumentContentRequest } from "./protocol";

/** The custom editor of files with such names, as package.json calls it. */
const viewType = "tungsten.decoded";

/** That of files of any name: programs that hold code objects have none of their own. It is chosen by hand. */
const anyViewType = "tungsten.decodedAny";

/** What such files are called; package.json names the same patterns. */
const pattern = "**/*.{tgsib,co,hsaco,o,hipfb,fatbin,sb}";

/** The document that shows a file, named so that its language is known. The server takes such a URI apart again. */
function textOf(file: vscode.Uri, entry?: number): vscode.Uri {
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    const language = name.toLowerCase().endsWith(".tgsib") ? "tgsi" : "gcn";
    const shown = entry === undefined ? name : `${name}.${entry}`;
    const source = entry === undefined ? file : file.with({ fragment: String(entry) });
    return vscode.Uri.from({ scheme: decodedScheme, path: `/${shown}.${language}`, query: source.toString() });
}

/** The file that a document shows. */
function fileOf(text: vscode.Uri): vscode.Uri {
    return vscode.Uri.parse(text.query).with({ fragment: "" });
}

/** Opens such files and serves their text. */
export class DecodedDocuments
    implements vscode.CustomReadonlyEditorProvider, vscode.TextDocumentContentProvider, vscode.Disposable
{
    readonly #changed = new vscode.EventEmitter<vscode.Uri>();
    readonly #watcher = vscode.workspace.createFileSystemWatcher(pattern);
    readonly #subscriptions: vscode.Disposable[];

    readonly onDidChange = this.#changed.event;

    constructor(private readonly server: Server) {
        this.#subscriptions = [
            this.#changed,
            this.#watcher,
            this.#watcher.onDidChange((file) => this.#changed.fire(textOf(file))),
            vscode.workspace.registerTextDocumentContentProvider(decodedScheme, this),
            vscode.window.registerCustomEditorProvider(viewType, this),
            vscode.window.registerCustomEditorProvider(anyViewType, this),
            vscode.commands.registerCommand("tungsten.openCodeObject", (file?: vscode.Uri) =>
                this.#choose(file ?? vscode.window.activeTextEditor?.document.uri),
            ),
        ];
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
    }

    openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
        return { uri, dispose: () => undefined };
    }

    /** Returns before the text is there: the editor still fills a tab that it waits for, and this one is to close. */
    resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
        void this.#replace(document, panel);
    }

    async #replace(document: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
        const place = panel.viewColumn === undefined ? {} : { viewColumn: panel.viewColumn };
        try {
            const text = await vscode.workspace.openTextDocument(textOf(document.uri));
            await vscode.window.showTextDocument(text, { ...place, preview: false });
            panel.dispose();
        } catch (error) {
            // The page stays open: without it the tab would vanish unexplained.
            const reason = error instanceof Error ? error.message : String(error);
            panel.webview.html = `<p>${escapeForPage(`This file cannot be shown as text: ${reason}`)}</p>`;
        }
    }

    /** Opens another code object of a file, which the user chooses. */
    async #choose(uri: vscode.Uri | undefined): Promise<void> {
        if (uri === undefined) {
            return;
        }
        const file = uri.scheme === decodedScheme ? fileOf(uri) : uri;
        try {
            const found = await this.server.answer((client) =>
                ask(client, listCodeObjectsRequest, {
                    command: "tungsten.listCodeObjects",
                    arguments: [client.code2ProtocolConverter.asUri(file)],
                }),
            );
            const chosen = await vscode.window.showQuickPick(found.map(rowOf), {
                placeHolder: "The code object to open",
                matchOnDescription: true,
            });
            if (chosen !== undefined) {
                await vscode.window.showTextDocument(textOf(file, chosen.number), { preview: false });
            }
        } catch (error) {
            const reason = error instanceof Error ? error.message : String(error);
            void vscode.window.showErrorMessage(`No code object can be shown: ${reason}`);
        }
    }

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const answer = await this.server.answer((client) =>
            ask(client, textDocumentContentRequest, { uri: client.code2ProtocolConverter.asUri(uri) }),
        );
        return answer.text;
    }
}

/** A code object in the list to choose from. */
function rowOf(it: CodeObject): vscode.QuickPickItem & { number: number } {
    const icon = it.isRead ? "$(circuit-board)" : "$(circle-slash)";
    const label = `${icon} ${it.number}: ${it.name === "" ? it.kind : it.name}`;
    return { label, description: `${it.kind}, ${it.bytes} bytes`, number: it.number };
}

function escapeForPage(text: string): string {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
