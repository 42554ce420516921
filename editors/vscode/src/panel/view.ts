// The panel "Pressure and Stalls": a page that draws what the shader or kernel at
// the cursor costs. It follows the active editor. All it knows is told to it; it
// loads nothing but its own script and style.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Costs } from "../costs";
import type { FromPage, Shown, ToPage } from "./messages";

/** The view's name in package.json. */
const viewId = "tungsten.costsView";

export class CostsPanel implements vscode.WebviewViewProvider, vscode.Disposable {
    readonly #subscriptions: vscode.Disposable[];
    #view: vscode.WebviewView | undefined;
    /** The editor that is shown; it stays when something else than an editor comes to the front. */
    #editor: vscode.TextEditor | undefined;

    constructor(
        private readonly extension: vscode.Uri,
        private readonly costs: Costs,
    ) {
        this.#follow(vscode.window.activeTextEditor);
        this.#subscriptions = [
            vscode.window.registerWebviewViewProvider(viewId, this),
            vscode.commands.registerCommand("tungsten.showCosts", () =>
                vscode.commands.executeCommand(`${viewId}.focus`),
            ),
            vscode.window.onDidChangeActiveTextEditor((editor) => this.#follow(editor)),
            vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
                if (textEditor === this.#editor) {
                    this.#tellCursor(textEditor);
                }
            }),
            costs.onDidChange((document) => {
                if (document === this.#editor?.document) {
                    this.#tell();
                }
            }),
        ];
    }

    dispose(): void {
        this.#subscriptions.forEach((subscription) => subscription.dispose());
    }

    resolveWebviewView(view: vscode.WebviewView): void {
        this.#view = view;
        const folder = vscode.Uri.joinPath(this.extension, "dist");
        view.webview.options = { enableScripts: true, localResourceRoots: [folder] };
        view.webview.onDidReceiveMessage((message: FromPage) => this.#hear(message));
        view.onDidDispose(() => (this.#view = undefined));
        const [script, style] = ["panel.js", "panel.css"].map((name) =>
            view.webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString(),
        );
        const nonce = randomBytes(16).toString("base64");
        const policy = `default-src 'none'; style-src ${view.webview.cspSource}; script-src 'nonce-${nonce}'`;
        view.webview.html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Pressure and Stalls</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="page"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
    }

    #follow(editor: vscode.TextEditor | undefined): void {
        // Without an editor in front the focus is in a panel, perhaps this one.
        if (editor !== undefined && editor.document.uri.scheme !== "output") {
            this.#editor = editor;
            this.#tell();
        }
    }

    /** The code that was told last; the cursor may enter another one. */
    #told: string | undefined;

    #tell(): void {
        const editor = this.#editor;
        const shown = editor && this.#shownOf(editor);
        this.#told = shown && `${shown.uri} ${shown.code.number}`;
        this.#post(
            shown ?? {
                kind: "nothing",
                message: "Open a TGSI shader or GCN assembly to see its register pressure and where it waits.",
            },
        );
    }

    #tellCursor(editor: vscode.TextEditor): void {
        const line = editor.selection.active.line;
        const code = this.costs.at(editor.document.uri, line);
        if (code !== undefined && this.#told !== `${editor.document.uri.toString()} ${code.number}`) {
            this.#tell();
        } else {
            this.#post({ kind: "cursor", line });
        }
    }

    #shownOf({ document, selection }: vscode.TextEditor): Shown | undefined {
        const code = this.costs.at(document.uri, selection.active.line);
        if (code === undefined) {
            return undefined;
        }
        const named = code.lines.flatMap(({ line, cause }) => (cause === null ? [line] : [line, cause]));
        const words = named
            .filter((line) => line < document.lineCount)
            .map((line) => [
                line,
                document
                    .lineAt(line)
                    .text.replace(/\s*\/\/.*$/, "")
                    .trim(),
            ]);
        return {
            kind: "costs",
            uri: document.uri.toString(),
            file: document.uri.path.slice(document.uri.path.lastIndexOf("/") + 1),
            code,
            words: Object.fromEntries(words) as Record<number, string>,
            cursor: selection.active.line,
        };
    }

    #post(message: ToPage): void {
        void this.#view?.webview.postMessage(message);
    }

    #hear(message: FromPage): void {
        switch (message.kind) {
            case "ready":
                this.#tell();
                break;
            case "open":
                void this.#open(vscode.Uri.parse(message.uri, true), message.line);
                break;
        }
    }

    async #open(uri: vscode.Uri, line: number): Promise<void> {
        const shown = vscode.window.visibleTextEditors.find(
            ({ document }) => document.uri.toString() === uri.toString(),
        );
        const document = shown?.document ?? (await vscode.workspace.openTextDocument(uri));
        const place = document.validatePosition(new vscode.Position(line, 0));
        await vscode.window.showTextDocument(document, {
            ...(shown?.viewColumn !== undefined && { viewColumn: shown.viewColumn }),
            selection: new vscode.Range(place, place),
        });
    }
}
