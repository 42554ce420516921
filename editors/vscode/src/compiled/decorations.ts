// How the link between source and compiled code, and the age of compiled code,
// are drawn.

import * as vscode from "vscode";
import type { CompiledCode } from "../protocol";

const linked = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("tungsten.linkedLineBackground"),
    overviewRulerColor: new vscode.ThemeColor("tungsten.linkedLineRuler"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
});

const old = vscode.window.createTextEditorDecorationType({ isWholeLine: true, opacity: "0.5" });

/** What to say of compiled code that is not of the current text. */
export function ageOf(code: CompiledCode): string | undefined {
    switch (code.state) {
        case "fresh":
            return undefined;
        case "stale":
            return "of the previous text, compiling…";
        case "outdated":
            return `out of date: ${code.message ?? "the current text has errors"}`;
        case "pending":
            return "compiling…";
        case "unavailable":
            return code.message ?? "no compiled code";
    }
}

function wholeLines(lines: number[]): vscode.Range[] {
    return lines.map((line) => new vscode.Range(line, 0, line, 0));
}

/** Marks the lines that belong to the cursor's line in the other editor. */
export function markLinked(editor: vscode.TextEditor, lines: number[]): void {
    editor.setDecorations(linked, wholeLines(lines));
}

/** Dims compiled code that is not of the current text. */
export function markAge(editor: vscode.TextEditor, code: CompiledCode): void {
    const document = editor.document;
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    const dimmed = code.state === "stale" || code.state === "outdated";
    editor.setDecorations(old, dimmed ? [document.validateRange(all)] : []);
}

/** Gives the tab of compiled code that is not current a badge and a colour. */
export class TabBadges implements vscode.FileDecorationProvider {
    readonly #changed = new vscode.EventEmitter<vscode.Uri>();
    readonly onDidChangeFileDecorations = this.#changed.event;

    constructor(private readonly codeOf: (uri: vscode.Uri) => CompiledCode | undefined) {}

    refresh(uri: vscode.Uri): void {
        this.#changed.fire(uri);
    }

    provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
        const code = this.codeOf(uri);
        const age = code && ageOf(code);
        if (age === undefined) {
            return undefined;
        }
        return new vscode.FileDecoration("◌", age, new vscode.ThemeColor("tungsten.staleForeground"));
    }
}
