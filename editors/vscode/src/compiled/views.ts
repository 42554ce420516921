// All compiled documents that are open, and the provider of their text.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Server } from "../client";
import {
    type CompiledCode,
    type CompiledCodeChangedParams,
    compiledCodeChanged,
    compiledScheme,
    viewScheme,
} from "../protocol";
import { TabBadges } from "./decorations";
import { askForCompiledCode, CompiledView, parseView } from "./view";

/** Keeps the open views current and serves their text. */
export class CompiledViews implements vscode.Disposable {
    readonly #views = new Map<string, CompiledView>();
    readonly #textChanged = new vscode.EventEmitter<vscode.Uri>();
    readonly #changed = new vscode.EventEmitter<CompiledView>();
    readonly #reported = new vscode.EventEmitter<
        { source: string } & Omit<CompiledCodeChangedParams, "textDocument">
    >();
    readonly #badges = new TabBadges((uri) => this.of(uri)?.code);
    readonly #subscriptions: vscode.Disposable[];

    /** Fires when a view's code, state or lines changed. */
    readonly onDidChangeView = this.#changed.event;
    /** Fires when the server says that a shader's code is another now, also if no view shows it. */
    readonly onDidReport = this.#reported.event;

    constructor(private readonly server: Server) {
        this.#subscriptions = [
            ...[compiledScheme, viewScheme].map((scheme) => this.#serve(scheme)),
            vscode.window.registerFileDecorationProvider(this.#badges),
            vscode.workspace.onDidChangeTextDocument(({ document }) => this.refreshOf(document.uri)),
            vscode.workspace.onDidOpenTextDocument((document) => this.#bringUpToDate(document)),
            vscode.workspace.onDidCloseTextDocument((document) => {
                // A document that gets another language is told as closed and opened.
                if (document.isClosed) {
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

    /** The views of a source file, machine code first. */
    ofSource(source: vscode.Uri): CompiledView[] {
        const wanted = source.toString();
        const views = [...this.#views.values()].filter((view) => view.source.toString() === wanted);
        return views.sort((one, other) => Number(other.code.view === "code") - Number(one.code.view === "code"));
    }

    /** The view of an answer of the server: the one that is open, or a new one. */
    adopt(source: vscode.Uri, code: CompiledCode): CompiledView {
        const fresh = new CompiledView(source, code, (changed) => this.#announce(changed));
        const key = fresh.uri.toString();
        const view = this.#views.get(key) ?? fresh;
        this.#views.set(key, view);
        return view;
    }

    /** Asks for the views of a source again. */
    refreshOf(source: vscode.Uri): void {
        for (const view of this.ofSource(source)) {
            void this.#refresh(view);
        }
    }

    /** Provides the texts of a scheme. The editor refuses news of documents of another one. */
    #serve(scheme: string): vscode.Disposable {
        const changed = new vscode.EventEmitter<vscode.Uri>();
        return vscode.Disposable.from(
            changed,
            this.#textChanged.event((uri) => {
                if (uri.scheme === scheme) {
                    changed.fire(uri);
                }
            }),
            vscode.workspace.registerTextDocumentContentProvider(scheme, {
                onDidChange: changed.event,
                provideTextDocumentContent: (uri) => this.#textOf(uri),
            }),
        );
    }

    /** The text of a view; one that is not known is asked for as its name says. */
    async #textOf(uri: vscode.Uri): Promise<string> {
        const view = this.of(uri) ?? (await this.#find(uri));
        return view?.code.text ?? "; Open the compiled code again from its source file.\n";
    }

    /** The view that a URI names, as a tab of an earlier window has it. */
    async #find(uri: vscode.Uri): Promise<CompiledView | undefined> {
        const named = parseView(uri);
        if (named === undefined) {
            return undefined;
        }
        // The server knows open documents only; opening one starts it.
        await vscode.workspace.openTextDocument(named.source);
        const code = await this.server.answer((client) => askForCompiledCode(client, named.source, named.wish));
        return code && this.adopt(named.source, code);
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
        this.#textChanged.dispose();
        this.#changed.dispose();
        this.#reported.dispose();
    }

    #listen(client: LanguageClient): void {
        client.onNotification(compiledCodeChanged, ({ textDocument, ...changed }) => {
            const source = client.protocol2CodeConverter.asUri(textDocument.uri).toString();
            for (const view of this.#views.values()) {
                if (view.shows(source, changed)) {
                    void this.#refresh(view);
                }
            }
            this.#reported.fire({ source, ...changed });
        });
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
            // The connection broke; the change of the state brings the next attempt.
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
