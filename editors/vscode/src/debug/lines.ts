// What a stopped run shows in the text: the values that lines left in the lane, and the lines
// that the lane passed by.

import * as vscode from "vscode";

/** An executed line, from 1. */
interface Line {
    line: number;
    isActive: boolean;
    values: { name: string; value: string }[];
}

const passedBy = vscode.window.createTextEditorDecorationType({ opacity: "0.45", isWholeLine: true });

/** The values of a line by register: `TEMP[0].xy = 1.0, 2.0`. */
function shown(values: Line["values"]): string {
    const registers = new Map<string, { letters: string; values: string[] }>();
    for (const { name, value } of values) {
        const [register, letter = ""] = name.split(".", 2) as [string, string?];
        const own = registers.get(register) ?? { letters: "", values: [] };
        own.letters += letter;
        own.values.push(value);
        registers.set(register, own);
    }
    const parts = [...registers].map(([register, own]) => {
        const letters = own.letters === "" ? "" : `.${own.letters}`;
        return `${register}${letters} = ${own.values.join(", ")}`;
    });
    return parts.join("; ");
}

function dim(document: vscode.TextDocument, lines: number[]): void {
    for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document === document) {
            const ranges = lines.filter((line) => line < document.lineCount).map((line) => document.lineAt(line).range);
            editor.setDecorations(passedBy, ranges);
        }
    }
}

/** Values at the end of lines, as each line left them: an expression would have today's value. */
export class LineValues implements vscode.InlineValuesProvider, vscode.Disposable {
    readonly #subscriptions = [
        vscode.debug.onDidTerminateDebugSession(({ type }) => {
            if (type === "tungsten") {
                for (const { document } of vscode.window.visibleTextEditors) {
                    dim(document, []);
                }
            }
        }),
    ];

    dispose(): void {
        vscode.Disposable.from(...this.#subscriptions, passedBy).dispose();
    }

    async provideInlineValues(
        document: vscode.TextDocument,
        _: vscode.Range,
        context: vscode.InlineValueContext,
    ): Promise<vscode.InlineValue[]> {
        const session = vscode.debug.activeDebugSession;
        if (session?.type !== "tungsten" || session.configuration["program"] !== document.fileName) {
            return [];
        }
        const answer = await session.customRequest("tungsten/lineValues", { frameId: context.frameId });
        const lines = (answer.lines as Line[]).filter(({ line }) => line <= document.lineCount);
        dim(
            document,
            lines.filter(({ isActive }) => !isActive).map(({ line }) => line - 1),
        );
        const withValues = lines.filter(({ isActive, values }) => isActive && values.length > 0);
        return withValues.map(
            ({ line, values }) => new vscode.InlineValueText(document.lineAt(line - 1).range, shown(values)),
        );
    }
}
