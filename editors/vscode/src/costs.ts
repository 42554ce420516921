// What lines cost, asked for and kept for whoever shows it.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { ask } from "./ask";
import type { Server } from "./client";
import { type CodeCosts, costsChanged, costsRequest, named, viewScheme } from "./protocol";

/** How long the text must rest before the costs are asked for. */
const pause = 250;

/** Keeps the costs of the documents in sight current. */
export class Costs implements vscode.Disposable {
    readonly #known = new Map<string, CodeCosts[]>();
    readonly #waiting = new Map<string, NodeJS.Timeout>();
    readonly #changed = new vscode.EventEmitter<vscode.TextDocument>();
    readonly #subscriptions: vscode.Disposable[];

    /** Fires with a document whose costs are known anew. */
    readonly onDidChange = this.#changed.event;

    constructor(private readonly server: Server) {
        this.#subscriptions = [
            this.#changed,
            server.onWillStart((client) => this.#listen(client)),
            server.onDidChangeState(() => this.#askForAll()),
            vscode.window.onDidChangeVisibleTextEditors(() => this.#askForAll()),
            vscode.workspace.onDidChangeTextDocument(({ document }) => this.#askAfterPause(document)),
            vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#known.delete(uri.toString())),
        ];
    }

    /** What the shaders or kernels of a document cost, as far as it is known. */
    of(uri: vscode.Uri): CodeCosts[] {
        return this.#known.get(uri.toString()) ?? [];
    }

    /** The shader or kernel at a line of a document, else the first. */
    at(uri: vscode.Uri, line: number): CodeCosts | undefined {
        const codes = this.of(uri);
        return codes.find(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine) ?? codes[0];
    }

    dispose(): void {
        this.#waiting.forEach((timer) => clearTimeout(timer));
        this.#subscriptions.forEach((subscription) => subscription.dispose());
    }

    #listen(client: LanguageClient): void {
        client.onNotification(costsChanged, ({ textDocument }) => {
            const uri = client.protocol2CodeConverter.asUri(textDocument.uri).toString();
            const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
            if (shown !== undefined) {
                this.#askAfterPause(shown.document);
            }
        });
    }

    #askForAll(): void {
        new Set(vscode.window.visibleTextEditors.map((editor) => editor.document)).forEach((document) =>
            this.#askAfterPause(document),
        );
    }

    #askAfterPause(document: vscode.TextDocument): void {
        const isOurs = document.languageId === "tgsi" || document.languageId === "gcn";
        if (!isOurs || document.uri.scheme === viewScheme) {
            return;
        }
        const key = document.uri.toString();
        clearTimeout(this.#waiting.get(key));
        this.#waiting.set(
            key,
            setTimeout(() => void this.#ask(document), pause),
        );
    }

    async #ask(document: vscode.TextDocument): Promise<void> {
        this.#waiting.delete(document.uri.toString());
        const client = this.server.client;
        if (client === undefined || document.isClosed) {
            return;
        }
        const version = document.version;
        try {
            const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
            const costs = await ask(client, costsRequest, { textDocument });
            if (document.version !== version) {
                return; // The next answer is on its way.
            }
            this.#known.set(document.uri.toString(), (costs?.codes ?? []).map(named));
        } catch {
            return; // The server is going down.
        }
        this.#changed.fire(document);
    }
}
