// Serves the shaders in the strings of other languages' sources. For a source without a shader
// nothing is started and nothing registered; for one with a shader only what stands beside the
// answers of the language's own server, and for this document alone.

import * as vscode from "vscode";
import type { DynamicFeature, LanguageClient, TextDocumentRegistrationOptions } from "vscode-languageclient/node";
import { TextDocumentSyncKind } from "vscode-languageclient/node";
import type { Server } from "./client";
import { holdsShader } from "./scan";

/** Languages in whose strings shaders are looked for. */
const languages = [
    "rust",
    "go",
    "c",
    "cpp",
    "python",
    "javascript",
    "javascriptreact",
    "typescript",
    "typescriptreact",
    "zig",
];

/** How long a source rests after an edit before it is looked at again, in milliseconds. */
const pause = 500;

/** What is registered for such a source, with the server's own options for it. */
const services = {
    "textDocument/didOpen": "textDocumentSync",
    "textDocument/didChange": "textDocumentSync",
    "textDocument/didClose": "textDocumentSync",
    "textDocument/diagnostic": "diagnosticProvider",
    "textDocument/hover": "hoverProvider",
    "textDocument/completion": "completionProvider",
    "textDocument/definition": "definitionProvider",
    "textDocument/references": "referencesProvider",
    "textDocument/codeAction": "codeActionProvider",
    "textDocument/codeLens": "codeLensProvider",
    "textDocument/inlayHint": "inlayHintProvider",
} as const;

type Feature = DynamicFeature<TextDocumentRegistrationOptions>;

function featureOf(client: LanguageClient, method: string): Feature | undefined {
    return (client as { getFeature(method: string): Feature | undefined }).getFeature(method);
}

export class EmbeddedShaders implements vscode.Disposable {
    readonly #subscriptions: vscode.Disposable[];
    /** The sources that are served. */
    readonly #served = new Map<string, vscode.TextDocument>();
    readonly #waiting = new Map<string, NodeJS.Timeout>();

    constructor(private readonly server: Server) {
        this.#subscriptions = [
            vscode.workspace.onDidOpenTextDocument((document) => this.#look(document)),
            vscode.workspace.onDidChangeTextDocument(({ document }) => this.#lookAfterPause(document)),
            vscode.workspace.onDidCloseTextDocument((document) => this.#leave(document)),
            server.onDidInitialize((client) => {
                this.#served.forEach((document) => this.#register(client, document));
            }),
        ];
        vscode.workspace.textDocuments.forEach((document) => this.#look(document));
    }

    dispose(): void {
        this.#waiting.forEach((timer) => clearTimeout(timer));
        this.#subscriptions.forEach((subscription) => subscription.dispose());
    }

    #isCandidate(document: vscode.TextDocument): boolean {
        const isSource = document.uri.scheme === "file" && languages.includes(document.languageId);
        return isSource && !this.#served.has(document.uri.toString());
    }

    #look(document: vscode.TextDocument): void {
        if (document.isClosed || !this.#isCandidate(document) || !holdsShader(document)) {
            return;
        }
        this.#served.set(document.uri.toString(), document);
        const client = this.server.client;
        if (client === undefined) {
            void this.server.start(); // Registered once it runs.
        } else {
            this.#register(client, document);
        }
    }

    #lookAfterPause(document: vscode.TextDocument): void {
        if (!this.#isCandidate(document)) {
            return;
        }
        const key = document.uri.toString();
        clearTimeout(this.#waiting.get(key));
        const look = (): void => {
            this.#waiting.delete(key);
            this.#look(document);
        };
        this.#waiting.set(key, setTimeout(look, pause));
    }

    #register(client: LanguageClient, document: vscode.TextDocument): void {
        const capabilities = client.initializeResult?.capabilities;
        if (capabilities === undefined) {
            return;
        }
        const { scheme, path } = document.uri;
        // Signs that a pattern has stand for themselves.
        const pattern = path.replace(/[[\]{}*?]/g, "[$&]");
        const documentSelector = [{ scheme, language: document.languageId, pattern }];
        for (const [method, capability] of Object.entries(services)) {
            const options: unknown = capabilities[capability];
            if (options !== undefined && options !== false) {
                const own = typeof options === "object" ? options : {};
                const registerOptions = {
                    ...own,
                    // Names a collection of diagnostics, of which each document has its own.
                    identifier: undefined,
                    workspaceDiagnostics: false,
                    syncKind: TextDocumentSyncKind.Incremental,
                    documentSelector,
                };
                featureOf(client, method)?.register({ id: idOf(method, document), registerOptions });
            }
        }
    }

    #leave(document: vscode.TextDocument): void {
        const key = document.uri.toString();
        clearTimeout(this.#waiting.get(key));
        this.#waiting.delete(key);
        const client = this.server.client;
        if (!this.#served.delete(key) || client === undefined) {
            return;
        }
        // The message that it is closed is sent by what is registered for it.
        setTimeout(() => {
            for (const method of Object.keys(services)) {
                featureOf(client, method)?.unregister(idOf(method, document));
            }
        });
    }
}

function idOf(method: string, document: vscode.TextDocument): string {
    return `${method} ${document.uri.toString()}`;
}
