// Ties the cursor of the source to the compiled code and back: the lines that
// belong together are marked in both editors and kept in sight.

import * as vscode from "vscode";
import { isCompiledDocument } from "../client";
import * as configuration from "../configuration";
import { markAge, markLinked } from "./decorations";
import type { CompiledView } from "./view";
import type { CompiledViews } from "./views";

/** A pair of editors that show the two sides of a view. */
interface Pair {
    view: CompiledView;
    source: vscode.TextEditor | undefined;
    compiled: vscode.TextEditor;
}

export class CursorLink implements vscode.Disposable {
    readonly #subscriptions: vscode.Disposable[];
    /** The editors that were brought to the cursor's line when they appeared. */
    readonly #placed = new WeakSet<vscode.TextEditor>();

    constructor(private readonly views: CompiledViews) {
        this.#subscriptions = [
            vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#follow(textEditor)),
            vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
                if (configuration.scrollsTogether() && textEditor === vscode.window.activeTextEditor) {
                    this.#reveal(textEditor);
                }
            }),
            vscode.window.onDidChangeVisibleTextEditors(() => this.#drawAll()),
            vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.#follow(editor)),
            vscode.workspace.onDidChangeTextDocument(({ document }) => {
                if (isCompiledDocument(document)) {
                    this.#drawAll();
                }
            }),
            views.onDidChangeView(() => this.#drawAll()),
            configuration.onDidChangeDrawing(() => this.#drawAll()),
        ];
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
    }

    /** The cursor moved, or its editor came to the front. */
    #follow(editor: vscode.TextEditor): void {
        if (editor === vscode.window.activeTextEditor) {
            this.#drawAll();
            this.#reveal(editor);
        }
    }

    #pairs(): Pair[] {
        const pairs: Pair[] = [];
        for (const compiled of vscode.window.visibleTextEditors) {
            const view = this.views.of(compiled.document.uri);
            // The text on the screen may lag behind the answer by a moment, and
            // the lines of one say nothing about the other.
            if (view !== undefined && compiled.document.getText() === view.code.text) {
                const source = vscode.window.visibleTextEditors.find(
                    (editor) => editor.document.uri.toString() === view.source.toString(),
                );
                pairs.push({ view, source, compiled });
            }
        }
        return pairs;
    }

    #drawAll(): void {
        const pairs = this.#pairs();
        const linked = new Map<vscode.TextEditor, number[]>();
        for (const { view, source, compiled } of pairs) {
            markAge(compiled, view.code);
            const line = sourceLine(view.source, pairs);
            const lines = line === undefined ? [] : view.linesOf(line);
            linked.set(compiled, lines);
            if (!this.#placed.has(compiled)) {
                this.#placed.add(compiled);
                const at = source?.selection.active.line;
                revealBlock(compiled, at === undefined ? [] : view.linesOf(at));
            }
            // One of several chips may have no code for the line.
            if (source !== undefined && !linked.get(source)?.length) {
                linked.set(source, line !== undefined && lines.length > 0 ? [line] : []);
            }
        }
        const shown = configuration.decorations();
        linked.forEach((lines, editor) => markLinked(editor, shown ? lines : []));
    }

    /** Scrolls the other side of each pair that an editor belongs to, and the code for other chips. */
    #reveal(editor: vscode.TextEditor): void {
        const pairs = this.#pairs();
        const own = pairs.find(({ compiled }) => compiled === editor);
        if (own === undefined) {
            for (const { view, source, compiled } of pairs) {
                if (editor === source) {
                    const line = anchor(editor, (candidate) => view.linesOf(candidate).length > 0);
                    revealBlock(compiled, line === undefined ? [] : view.linesOf(line));
                }
            }
            return;
        }
        const line = anchor(editor, (candidate) => own.view.sourceLineOf(candidate) !== undefined);
        const origin = line === undefined ? undefined : own.view.sourceLineOf(line);
        if (origin === undefined) {
            return;
        }
        if (own.source !== undefined) {
            revealBlock(own.source, [origin]);
        }
        for (const { view, compiled } of pairs) {
            if (compiled !== editor && view.source.toString() === own.view.source.toString()) {
                revealBlock(compiled, view.linesOf(origin));
            }
        }
    }
}

/**
 * The line of a source that is looked at: the one that the cursor of the active
 * editor stands for, if that shows its code; else the cursor's in the source.
 */
function sourceLine(source: vscode.Uri, pairs: Pair[]): number | undefined {
    const own = pairs.filter(({ view }) => view.source.toString() === source.toString());
    const active = own.find(({ compiled }) => compiled === vscode.window.activeTextEditor);
    return active === undefined
        ? own[0]?.source?.selection.active.line
        : active.view.sourceLineOf(active.compiled.selection.active.line);
}

/**
 * The line of an editor that the other side should show: the cursor's while it
 * is in sight, else the linked line nearest to the middle of what is in sight.
 */
function anchor(editor: vscode.TextEditor, isLinked: (line: number) => boolean): number | undefined {
    const visible = editor.visibleRanges[0];
    const cursor = editor.selection.active.line;
    if (visible === undefined || (visible.start.line <= cursor && cursor <= visible.end.line)) {
        return isLinked(cursor) ? cursor : undefined;
    }
    const middle = Math.floor((visible.start.line + visible.end.line) / 2);
    const reach = visible.end.line - middle;
    for (let distance = 0; distance <= reach; distance += 1) {
        for (const line of [middle - distance, middle + distance]) {
            if (isLinked(line)) {
                return line;
            }
        }
    }
    return undefined;
}

/**
 * Brings the first run of lines into sight, unless any of the lines already is:
 * the compiler moves instructions about, and jumping to the first each time
 * would make the text restless.
 */
function revealBlock(editor: vscode.TextEditor, lines: number[]): void {
    const first = lines[0];
    const inSight = lines.some((line) =>
        editor.visibleRanges.some((range) => range.start.line <= line && line <= range.end.line),
    );
    if (first === undefined || inSight) {
        return;
    }
    editor.revealRange(new vscode.Range(first, 0, first, 0), vscode.TextEditorRevealType.InCenter);
}
