// Gives each line of the source a colour that its machine code has too, so that
// what belongs together is seen without a cursor.

import * as vscode from "vscode";
import * as configuration from "../configuration";
import type { CompiledViews } from "./views";

/**
 * Told apart with every kind of colour vision, on light and on dark ground: the
 * palette of Okabe and Ito, ordered so that neighbours differ in lightness too.
 */
const palette = ["#56b4e9", "#d55e00", "#009e73", "#f0e442", "#0072b2", "#e69f00", "#cc79a7"];

/** How long events must rest before colours are drawn, in milliseconds. */
const pause = 40;

const kinds = {
    edge: palette.map((colour) =>
        vscode.window.createTextEditorDecorationType({
            isWholeLine: true,
            borderStyle: "solid",
            borderWidth: "0 0 0 3px",
            borderColor: colour,
        }),
    ),
    background: palette.map((colour) =>
        vscode.window.createTextEditorDecorationType({ isWholeLine: true, backgroundColor: `${colour}2e` }),
    ),
};

export class LineColours implements vscode.Disposable {
    readonly #subscriptions: vscode.Disposable[];
    #waiting: NodeJS.Timeout | undefined;
    /** The editors that have colours now. */
    #drawn = new Set<vscode.TextEditor>();

    constructor(private readonly views: CompiledViews) {
        this.#subscriptions = [
            vscode.window.onDidChangeVisibleTextEditors(() => this.#drawSoon()),
            views.onDidChangeView(() => this.#drawSoon()),
            vscode.workspace.onDidChangeTextDocument(({ document }) => {
                if (this.views.of(document.uri) !== undefined) {
                    this.#drawSoon();
                }
            }),
            configuration.onDidChangeDrawing(() => this.#drawSoon()),
            vscode.commands.registerCommand("tungsten.toggleColours", () => configuration.toggleColours()),
        ];
    }

    dispose(): void {
        clearTimeout(this.#waiting);
        this.#subscriptions.forEach((subscription) => subscription.dispose());
    }

    /** One answer brings several events; when they are through, the text is on the screen too. */
    #drawSoon(): void {
        clearTimeout(this.#waiting);
        this.#waiting = setTimeout(() => this.#draw(), pause);
    }

    #draw(): void {
        const style = configuration.colours();
        const editors = style === "off" ? [] : vscode.window.visibleTextEditors;
        const coloured = new Map<vscode.TextEditor, Map<number, number>>();
        for (const editor of editors) {
            const view = this.views.of(editor.document.uri);
            // The text on the screen may lag behind the answer by a moment.
            if (view === undefined || editor.document.getText() !== view.code.text) {
                continue;
            }
            const colours = this.#coloursOf(view.source);
            const own = new Map<number, number>();
            view.code.sourceLines.forEach((origin, line) => {
                const colour = origin === null ? undefined : colours.get(origin);
                if (colour !== undefined) {
                    own.set(line, colour);
                }
            });
            coloured.set(editor, own);
            for (const source of vscode.window.visibleTextEditors) {
                if (source.document.uri.toString() === view.source.toString()) {
                    coloured.set(source, colours);
                }
            }
        }
        const isOpen = (editor: vscode.TextEditor): boolean => vscode.window.visibleTextEditors.includes(editor);
        for (const editor of new Set([...[...this.#drawn].filter(isOpen), ...coloured.keys()])) {
            const lines = coloured.get(editor) ?? new Map<number, number>();
            for (const name of ["edge", "background"] as const) {
                kinds[name].forEach((kind, colour) => {
                    const own = style === name ? [...lines].filter(([, it]) => it === colour) : [];
                    editor.setDecorations(
                        kind,
                        own.map(([line]) => new vscode.Range(line, 0, line, 0)),
                    );
                });
            }
        }
        this.#drawn = new Set(coloured.keys());
    }

    /** The colour of each line of a source that became code in any of its views. */
    #coloursOf(source: vscode.Uri): Map<number, number> {
        const lines = new Set(this.views.ofSource(source).flatMap((view) => view.code.sourceLines));
        const ordered = [...lines].filter((line) => line !== null).sort((one, other) => one - other);
        return new Map(ordered.map((line, index) => [line, index % palette.length]));
    }
}
