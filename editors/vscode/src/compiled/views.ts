// All compiled documents that are open, and the provider of their text.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { isCompiledDocument, type Server } from "../client";
import { type CompiledCode, compiledCodeChanged, compiledScheme } from "../protocol";
import { TabBadges } from "./decorations";
import { CompiledView } from "./view";

/** Keeps the open views current and serves their text. */
export class CompiledViews implements vscode.TextDocumentContentProvider, vscode.Disposable {
    readonly #views = new Map<string, CompiledView>();
    readonly #textChanged = new vscode.EventEmitter<vscode.Uri>();
    readonly #changed = new vscode.EventEmitter<CompiledView>();
    readonly #badges = new TabBadges((uri) => this.of(uri)?.code);
    readonly #subscriptions: vscode.Disposable[];

    readonly onDidChange = this.#textChanged.event;
    /** Fires when a view's code, state or lines changed. */
    readonly onDidChangeView = this.#changed.event;

    constructor(private readonly server: Server) {
        this.#subscriptions = [
            vscode.workspace.registerTextDocumentContentProvider(compiledScheme, this),
            vscode.window.registerFileDecorationProvider(this.#badges),
            vscode.workspace.onDidChangeTextDocument(({ document }) => this.#refreshOf(document.uri)),
            vscode.workspace.onDidOpenTextDocument((document) => this.#bringUpToDate(document)),
            vscode.workspace.onDidCloseTextDocument((document) => {
                if (isCompiledDocument(document)) {
                    this.#views.delete(document.uri.toString());
                }
            }),
            server.onWillStart((client) => this.#listen(client)),
            server.onDidChangeState((state) => {
                if (state.kind === "running") {
                    this.#refreshAll();
                } else if (state.kind !== "starting") {
                    this.#views.forEach((view) => view.disconnect("the server does not run"));
                }
            }),
        ];
    }

    /** The view that a virtual document shows. */
    of(uri: vscode.Uri): CompiledView | undefined {
        return this.#views.get(uri.toString());
    }

    /** The views of a source file. */
    ofSource(source: vscode.Uri): CompiledView[] {
        const wanted = source.toString();
        return [...this.#views.values()].filter((view) => view.source.toString() === wanted);
    }

    /** The view of an answer of the server: the one that is open, or a new one. */
    adopt(source: vscode.Uri, code: CompiledCode): CompiledView {
        const fresh = new CompiledView(source, code, (changed) => this.#announce(changed));
        const key = fresh.uri.toString();
        const view = this.#views.get(key) ?? fresh;
        this.#views.set(key, view);
        return view;
    }

    provideTextDocumentContent(uri: vscode.Uri): string {
        // A tab restored from an earlier window has no view: its shader is not known.
        return this.of(uri)?.code.text ?? "; Open the compiled code again from its source file.\n";
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
        this.#textChanged.dispose();
        this.#changed.dispose();
    }

    #listen(client: LanguageClient): void {
        client.onNotification(compiledCodeChanged, ({ textDocument, shader, target }) => {
            const source = client.protocol2CodeConverter.asUri(textDocument.uri).toString();
            for (const view of this.#views.values()) {
                if (view.shows(source, shader, target)) {
                    void this.#refresh(view);
                }
            }
        });
    }

    #refreshOf(source: vscode.Uri): void {
        for (const view of this.ofSource(source)) {
            void this.#refresh(view);
        }
    }

    #refreshAll(): void {
        for (const view of this.#views.values()) {
            void this.#refresh(view);
        }
    }

    async #refresh(view: CompiledView): Promise<void> {
        const client = this.server.client;
        if (client === undefined) {
            return;
        }
        try {
            await view.refresh(client);
        } catch (error) {
            // The connection broke or the request was overtaken; the state
            // change or the next edit brings the next attempt.
            client.warn(`compiled code: ${error instanceof Error ? error.message : String(error)}`);
        }
    }

    #announce(view: CompiledView): void {
        vscode.workspace.textDocuments.forEach((document) => this.#bringUpToDate(document));
        this.#badges.refresh(view.uri);
        this.#changed.fire(view);
    }

    /**
     * Has the editor fetch a document's text if it is not the newest. The
     * document is asked, not the answer before: while a document is being
     * opened the editor takes no notice of changes.
     */
    #bringUpToDate(document: vscode.TextDocument): void {
        const view = this.of(document.uri);
        if (view !== undefined && document.getText() !== view.code.text) {
            this.#textChanged.fire(view.uri);
        }
    }
}
