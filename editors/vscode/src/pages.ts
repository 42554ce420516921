// The pages of diagnostics: what their codes lead to, in the hover and in the Problems view.

import * as vscode from "vscode";
import { ask } from "./ask";
import type { Server } from "./client";
import { pageScheme, textDocumentContentRequest } from "./protocol";

/** Serves the text of pages; package.json has them shown as Markdown. */
export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
    readonly #registration = vscode.workspace.registerTextDocumentContentProvider(pageScheme, this);

    constructor(private readonly server: Server) {}

    dispose(): void {
        this.#registration.dispose();
    }

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const answer = await this.server.answer((client) =>
            ask(client, textDocumentContentRequest, { uri: client.code2ProtocolConverter.asUri(uri) }),
        );
        return answer.text;
    }
}
