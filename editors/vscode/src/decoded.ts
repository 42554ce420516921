// Files of bytes, shown as the text they stand for: binary tokens and code objects.
//
// The editor cannot be told to show a binary file as text of another document.
// So a custom editor takes the file's tab, opens the text in its place and
// closes itself.

import * as vscode from "vscode";
import { ask } from "./ask";
import type { Server } from "./client";
import { decodedScheme, textDocumentContentRequest } from "./protocol";

/** The custom editor's name in package.json. */
const viewType = "tungsten.decoded";

/** What such files are called; package.json names the same patterns. */
const pattern = "**/*.{tgsib,co,hsaco,o}";

/** The document that shows a file, named so that its language is known. The server takes such a URI apart again. */
function textOf(file: vscode.Uri): vscode.Uri {
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    const language = name.toLowerCase().endsWith(".tgsib") ? "tgsi" : "gcn";
    return vscode.Uri.from({ scheme: decodedScheme, path: `/${name}.${language}`, query: file.toString() });
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

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const answer = await this.server.answer((client) =>
            ask(client, textDocumentContentRequest, { uri: client.code2ProtocolConverter.asUri(uri) }),
        );
        return answer.text;
    }
}

function escapeForPage(text: string): string {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
