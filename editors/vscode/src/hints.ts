// Hints at the ends of lines come from the server; whether they are shown is
// also for the one setting that switches off all that is drawn.

import * as vscode from "vscode";
import { InlayHintRequest, type InlayHintsMiddleware } from "vscode-languageclient/node";
import type { Server } from "./client";
import * as configuration from "./configuration";

/** Holds the hints back while nothing is to be drawn. */
export const hintsMiddleware: InlayHintsMiddleware = {
    provideInlayHints: (document, range, token, next) =>
        configuration.decorations() ? next(document, range, token) : [],
};

/** Has the hints asked for anew when the setting changes. */
export function refreshHints(server: Server): vscode.Disposable {
    return configuration.onDidChangeDrawing(() => {
        const feature = server.client?.getFeature(InlayHintRequest.method);
        for (const { document } of vscode.window.visibleTextEditors) {
            feature?.getProvider(document)?.onDidChangeInlayHints.fire();
        }
    });
}
