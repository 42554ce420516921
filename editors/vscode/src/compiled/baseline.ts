// Code that the user pinned, compared with what the shader compiles to now.
//
// The server keeps what was pinned and says which instructions match. Here the
// two sides become documents of the editor's own difference view: addresses
// and the order in which the compiler mixed the statements are left out, so that
// only what is really another instruction stands out.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { ask } from "../ask";
import type { Server } from "../client";
import {
    baselineScheme,
    type Comparison,
    type CompiledFigures,
    compareRequest,
    pinBaselineRequest,
    unpinBaselineRequest,
} from "../protocol";
import type { CompiledView } from "./view";
import type { CompiledViews } from "./views";

/** Which shader and chip; text, so that it serves as a key and in a URI. */
interface Subject {
    source: string;
    shader: number;
    target: string;
}

/** How long news must rest before a comparison is asked for again, in milliseconds. */
const pause = 100;

/** The columns of a comparison, which are the sides of the difference view. */
const sides = ["pinned", "now"] as const;
type Side = (typeof sides)[number];

export class Baselines implements vscode.TextDocumentContentProvider, vscode.Disposable {
    readonly #known = new Map<string, Comparison>();
    readonly #waiting = new Map<string, NodeJS.Timeout>();
    readonly #textChanged = new vscode.EventEmitter<vscode.Uri>();
    readonly #changed = new vscode.EventEmitter<void>();
    readonly #subscriptions: vscode.Disposable[];

    readonly onDidChange = this.#textChanged.event;
    /** Fires when a summary may be another. */
    readonly onDidChangeComparison = this.#changed.event;

    constructor(
        private readonly server: Server,
        private readonly views: CompiledViews,
    ) {
        const register = vscode.commands.registerCommand;
        this.#subscriptions = [
            this.#textChanged,
            this.#changed,
            vscode.workspace.registerTextDocumentContentProvider(baselineScheme, this),
            register("tungsten.pinBaseline", () => this.#withSubject((client, subject) => this.#pin(client, subject))),
            register("tungsten.unpinBaseline", () =>
                this.#withSubject((client, subject) => this.#unpin(client, subject)),
            ),
            register("tungsten.compareBaseline", () =>
                this.#withSubject((client, subject) => this.#compare(client, subject)),
            ),
            views.onDidReport(({ source, shader, target, view }) => {
                const subject = { source, shader, target };
                if (view === "baseline" || view === "code") {
                    this.#refreshSoon(subject);
                }
            }),
            views.onDidChangeView((view) => {
                this.#tellContext(view);
                this.#refreshSoon(subjectOf(view));
            }),
            vscode.window.onDidChangeActiveTextEditor((editor) =>
                this.#tellContext(editor && this.views.of(editor.document.uri)),
            ),
            server.onDidChangeState(({ kind }) => {
                // What was pinned lives as long as the server.
                if (kind !== "running") {
                    this.#known.clear();
                    this.#changed.fire();
                }
            }),
        ];
    }

    dispose(): void {
        this.#waiting.forEach((timer) => clearTimeout(timer));
        this.#subscriptions.forEach((subscription) => subscription.dispose());
    }

    /** What became of the figures since the code of a view was pinned, in one line. */
    summaryOf(view: CompiledView): string | undefined {
        const comparison = view.code.pinned ? this.#known.get(keyOf(subjectOf(view))) : undefined;
        const [before, now] = comparison?.columns.map(({ figures }) => figures) ?? [];
        return before && now ? summary(before, now) : undefined;
    }

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const { subject, side } = parse(uri);
        const known = this.#known.get(keyOf(subject));
        const comparison = known ?? (await this.server.answer((client) => this.#ask(client, subject)));
        return comparison === undefined ? "; The shader is no longer in the file.\n" : textOf(comparison, side);
    }

    /** Runs a command for the shader in front of the user. */
    async #withSubject(run: (client: LanguageClient, subject: Subject) => Promise<void>): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        const uri = editor?.document.uri;
        const client = this.server.client;
        if (uri === undefined || client === undefined) {
            return;
        }
        const view = this.views.of(uri) ?? this.views.ofSource(uri)[0];
        const subject = view === undefined ? parseSide(uri) : subjectOf(view);
        if (subject === undefined) {
            void vscode.window.showInformationMessage("Open the compiled code of the shader first.");
            return;
        }
        await run(client, subject);
    }

    async #pin(client: LanguageClient, subject: Subject): Promise<void> {
        const pinned = await ask(client, pinBaselineRequest, selectionOf(client, subject));
        if (pinned === null) {
            void vscode.window.showWarningMessage("There is no compiled code to pin yet.");
            return;
        }
        await this.#refresh(subject);
        this.views.refreshOf(vscode.Uri.parse(subject.source, true));
        vscode.window.setStatusBarMessage(`$(pinned) Pinned the code for ${subject.target} to compare with`, 5000);
    }

    async #unpin(client: LanguageClient, subject: Subject): Promise<void> {
        await ask(client, unpinBaselineRequest, selectionOf(client, subject));
        this.#known.delete(keyOf(subject));
        this.views.refreshOf(vscode.Uri.parse(subject.source, true));
    }

    async #compare(client: LanguageClient, subject: Subject): Promise<void> {
        const comparison = await this.#ask(client, subject);
        if (!comparison?.columns[0]?.figures) {
            void vscode.window.showInformationMessage(
                "Nothing is pinned of this shader: pin its compiled code first, then edit.",
            );
            return;
        }
        const name = subject.source.slice(subject.source.lastIndexOf("/") + 1);
        const [before, now] = sides.map((side) => uriOf(subject, side));
        await vscode.commands.executeCommand(
            "vscode.diff",
            before,
            now,
            `${name} for ${subject.target}: pinned ↔ now`,
            { preview: false },
        );
    }

    async #ask(client: LanguageClient, subject: Subject): Promise<Comparison | undefined> {
        const answer = await ask(client, compareRequest, { ...selectionOf(client, subject), with: "baseline" });
        if (answer === null) {
            return undefined;
        }
        this.#known.set(keyOf(subject), answer);
        this.#changed.fire();
        return answer;
    }

    /** Asks again for what is shown of a shader, once for all news of a moment. */
    #refreshSoon(subject: Subject): void {
        const key = keyOf(subject);
        if (this.#known.has(key)) {
            clearTimeout(this.#waiting.get(key));
            this.#waiting.set(
                key,
                setTimeout(() => void this.#refresh(subject), pause),
            );
        }
    }

    async #refresh(subject: Subject): Promise<void> {
        const client = this.server.client;
        if (client === undefined) {
            return;
        }
        try {
            await this.#ask(client, subject);
        } catch {
            return; // The server goes down, which forgets what is known.
        }
        sides.forEach((side) => this.#textChanged.fire(uriOf(subject, side)));
    }

    /** Buttons depend on whether the code in front of the user is pinned. */
    #tellContext(view: CompiledView | undefined): void {
        const active = vscode.window.activeTextEditor?.document.uri.toString();
        if (view === undefined || view.uri.toString() === active) {
            void vscode.commands.executeCommand("setContext", "tungsten.isPinned", view?.code.pinned ?? false);
        }
        if (view?.code.pinned && !this.#known.has(keyOf(subjectOf(view)))) {
            void this.#refresh(subjectOf(view));
        }
    }
}

function subjectOf(view: CompiledView): Subject {
    return { source: view.source.toString(), shader: view.code.shader, target: view.code.target };
}

function keyOf({ source, shader, target }: Subject): string {
    return `${shader} ${target} ${source}`;
}

function selectionOf(client: LanguageClient, { source, shader, target }: Subject) {
    const uri = client.code2ProtocolConverter.asUri(vscode.Uri.parse(source, true));
    return { textDocument: { uri }, shader, target };
}

/** The document of a side, named so that its language is known. */
function uriOf(subject: Subject, side: Side): vscode.Uri {
    const name = subject.source.slice(subject.source.lastIndexOf("/") + 1);
    return vscode.Uri.from({
        scheme: baselineScheme,
        path: `/${name}.${subject.shader}.${subject.target}.${side}.gcn`,
        query: JSON.stringify({ subject, side }),
    });
}

function parse(uri: vscode.Uri): { subject: Subject; side: Side } {
    return JSON.parse(uri.query) as { subject: Subject; side: Side };
}

function parseSide(uri: vscode.Uri): Subject | undefined {
    return uri.scheme === baselineScheme ? parse(uri).subject : undefined;
}

/** The figures that are compared: what they are called, and how they are read. */
const figureNames: [string, (figures: CompiledFigures) => number][] = [
    ["VGPRs", ({ vgprs }) => vgprs],
    ["SGPRs", ({ sgprs }) => sgprs],
    ["waves", ({ waves }) => waves],
    ["clocks", ({ clocks }) => clocks],
    ["instructions", ({ instructions }) => instructions],
    ["bytes", ({ bytes }) => bytes],
];

function summary(before: CompiledFigures, now: CompiledFigures): string {
    const changes = figureNames
        .filter(([name, read]) => name !== "bytes" && read(before) !== read(now))
        .map(([name, read]) => `${name} ${read(before)} → ${read(now)}`);
    return changes.length === 0 ? "figures as pinned" : changes.join(" · ");
}

/** One side as text: its figures, then each statement with its instructions. */
function textOf(comparison: Comparison, side: Side): string {
    const index = sides.indexOf(side);
    const column = comparison.columns[index];
    const lines = [`; ${column?.target ?? ""}, ${side}`];
    if (column?.message) {
        lines.push(`; ${column.message}`);
    }
    const figures = column?.figures;
    if (figures) {
        lines.push(...figureNames.map(([name, read]) => `; ${name.padEnd(12)} ${String(read(figures)).padStart(6)}`));
    }
    for (const { text, before, rows } of comparison.statements) {
        const cells = rows.flatMap(({ cells }) => cells[index] ?? []);
        if (cells.length > 0) {
            const words = side === "pinned" ? (before ?? text) : text;
            lines.push("", `; ${words ?? "shared"}`, ...cells.map((cell) => `    ${cell.text}`));
        }
    }
    return `${lines.join("\n")}\n`;
}
