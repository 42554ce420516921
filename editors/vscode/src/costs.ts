// What lines cost, drawn in the gutter as heat, and the sums of the code at the
// cursor in the status bar.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Server } from "./client";
import * as configuration from "./configuration";
import { type CodeCosts, type LineCosts, costsChanged, costsRequest } from "./protocol";

/** From cold to hot. */
const colours = ["#4a6f9c", "#4f9d8a", "#c9b458", "#d98841", "#d1453b"];

function bar(colour: string): vscode.Uri {
    const shape = `<rect x="5" y="0" width="6" height="16" fill="${colour}"/>`;
    const image = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">${shape}</svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(image).toString("base64")}`);
}

const heats = colours.map((colour) =>
    vscode.window.createTextEditorDecorationType({ gutterIconPath: bar(colour), gutterIconSize: "contain" }),
);

/** How long the text must rest before the costs are asked for. */
const pause = 250;

/**
 * How hot a line is, from 0 to the number of colours. Registers count in their
 * own measure; clocks by magnitude, or a single load would leave all else cold.
 */
function level(line: LineCosts, code: CodeCosts, heat: "registers" | "clocks"): number {
    const steps = colours.length;
    if (heat === "registers") {
        const most = code.chips[0]?.vgprs.peak ?? 0;
        return most === 0 ? 0 : Math.min(steps - 1, Math.floor((line.vgprs / most) * steps));
    }
    const clocks = ({ issue, stall }: LineCosts): number => Math.log(Math.max(1, issue + stall));
    const most = Math.max(...code.lines.map(clocks));
    return most === 0 ? 0 : Math.min(steps - 1, Math.floor((clocks(line) / most) * steps));
}

/** Keeps the heat of the visible editors and the status item current. */
export class Costs implements vscode.Disposable {
    readonly #item = vscode.window.createStatusBarItem("tungsten.costs", vscode.StatusBarAlignment.Right, 89);
    readonly #known = new Map<string, CodeCosts[]>();
    readonly #waiting = new Map<string, NodeJS.Timeout>();
    readonly #subscriptions: vscode.Disposable[];

    constructor(private readonly server: Server) {
        this.#item.name = "Tungsten Costs";
        this.#subscriptions = [
            this.#item,
            server.onWillStart((client) => this.#listen(client)),
            server.onDidChangeState(() => this.#askForAll()),
            vscode.window.onDidChangeVisibleTextEditors(() => this.#askForAll()),
            vscode.window.onDidChangeActiveTextEditor(() => this.#drawSums()),
            vscode.window.onDidChangeTextEditorSelection(() => this.#drawSums()),
            vscode.workspace.onDidChangeTextDocument(({ document }) => this.#askAfterPause(document)),
            vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#known.delete(uri.toString())),
            vscode.workspace.onDidChangeConfiguration((event) => {
                if (event.affectsConfiguration("tungsten.heat")) {
                    vscode.window.visibleTextEditors.forEach((editor) => this.#drawHeat(editor));
                }
            }),
        ];
    }

    dispose(): void {
        this.#waiting.forEach((timer) => clearTimeout(timer));
        this.#subscriptions.forEach((subscription) => subscription.dispose());
    }

    #listen(client: LanguageClient): void {
        client.onNotification(costsChanged, ({ textDocument }) => {
            const uri = client.protocol2CodeConverter.asUri(textDocument.uri).toString();
            const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
            if (shown !== undefined) {
                this.#askAfterPause(shown.document);
            }
        });
    }

    #askForAll(): void {
        new Set(vscode.window.visibleTextEditors.map((editor) => editor.document)).forEach((document) =>
            this.#askAfterPause(document),
        );
        this.#drawSums();
    }

    #askAfterPause(document: vscode.TextDocument): void {
        if (document.languageId !== "tgsi" && document.languageId !== "gcn") {
            return;
        }
        const key = document.uri.toString();
        clearTimeout(this.#waiting.get(key));
        this.#waiting.set(key, setTimeout(() => void this.#ask(document), pause));
    }

    async #ask(document: vscode.TextDocument): Promise<void> {
        this.#waiting.delete(document.uri.toString());
        const client = this.server.client;
        if (client === undefined || document.isClosed) {
            return;
        }
        const version = document.version;
        try {
            const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
            const costs = await client.sendRequest(costsRequest, { textDocument });
            if (document.version !== version) {
                return; // The next answer is on its way.
            }
            this.#known.set(document.uri.toString(), costs?.codes ?? []);
        } catch {
            return; // The server is going down, or was overtaken by an edit.
        }
        for (const editor of vscode.window.visibleTextEditors) {
            if (editor.document === document) {
                this.#drawHeat(editor);
            }
        }
        this.#drawSums();
    }

    #drawHeat(editor: vscode.TextEditor): void {
        const heat = configuration.heat();
        const marks: vscode.DecorationOptions[][] = heats.map(() => []);
        for (const code of heat === "off" ? [] : (this.#known.get(editor.document.uri.toString()) ?? [])) {
            for (const line of code.lines) {
                const range = new vscode.Range(line.line, 0, line.line, 0);
                marks[level(line, code, heat as "registers" | "clocks")]?.push({ range });
            }
        }
        heats.forEach((kind, index) => editor.setDecorations(kind, marks[index] ?? []));
    }

    #drawSums(): void {
        const editor = vscode.window.activeTextEditor;
        const line = editor?.selection.active.line ?? 0;
        const codes = editor && this.#known.get(editor.document.uri.toString());
        const code = codes?.find(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine) ?? codes?.[0];
        const chip = code?.chips[0];
        if (code === undefined || chip === undefined || this.server.client === undefined) {
            this.#item.hide();
            return;
        }
        this.#item.text = `${chip.waves} waves · V ${chip.vgprs.used} · S ${chip.sgprs.used} · ${chip.clocks} clk`;
        this.#item.tooltip = code.chips
            .map(
                ({ target, waves, limiter, clocks, best, worst, inverseThroughput, bound, vgprs, sgprs }) =>
                    `${code.name} on ${target}: ${waves} waves, limited by ${limiter}; ` +
                    `${vgprs.spare} VGPRs and ${sgprs.spare} SGPRs to spare; ` +
                    `${clocks} clocks (${best} to ${worst}), ${inverseThroughput} of a SIMD per wave, bound by ${bound}`,
            )
            .join("\n");
        this.#item.show();
    }
}
