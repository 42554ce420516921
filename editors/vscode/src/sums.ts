// The sums of the code at the cursor, in the status bar, and what became of them
// since the file was saved.

import * as vscode from "vscode";
import type { Server } from "./client";
import type { Costs } from "./costs";
import type { ChipCosts } from "./protocol";

/** The figures that are shown. */
const figures: [(value: string) => string, (chip: ChipCosts) => number][] = [
    [(value) => `${value} waves`, ({ waves }) => waves],
    [(value) => `V ${value}`, ({ vgprs }) => vgprs.used],
    [(value) => `S ${value}`, ({ sgprs }) => sgprs.used],
    [(value) => `${value} clk`, ({ clocks }) => clocks],
];

/** The item in the status bar; a click opens the panel. */
export class Sums implements vscode.Disposable {
    readonly #item = vscode.window.createStatusBarItem("tungsten.costs", vscode.StatusBarAlignment.Right, 89);
    /** The sums when the file was as it is on the disk, by file, shader and chip. */
    readonly #saved = new Map<string, ChipCosts>();
    readonly #subscriptions: vscode.Disposable[];

    constructor(
        private readonly server: Server,
        private readonly costs: Costs,
    ) {
        this.#item.name = "Tungsten Costs";
        this.#item.command = "tungsten.showCosts";
        this.#subscriptions = [
            this.#item,
            costs.onDidChange((document) => this.#learn(document)),
            server.onDidChangeState(() => this.#draw()),
            vscode.window.onDidChangeActiveTextEditor(() => this.#draw()),
            vscode.window.onDidChangeTextEditorSelection(() => this.#draw()),
            vscode.workspace.onDidSaveTextDocument((document) => this.#learn(document)),
        ];
    }

    dispose(): void {
        this.#subscriptions.forEach((subscription) => subscription.dispose());
    }

    #learn(document: vscode.TextDocument): void {
        if (!document.isDirty) {
            for (const { number, chips, state } of this.costs.of(document.uri)) {
                if (state === "fresh") {
                    chips.forEach((chip) => this.#saved.set(`${number} ${chip.target} ${document.uri}`, chip));
                }
            }
        }
        this.#draw();
    }

    #draw(): void {
        const editor = vscode.window.activeTextEditor;
        const code = editor && this.costs.at(editor.document.uri, editor.selection.active.line);
        const chip = code?.chips[0];
        if (code === undefined || chip === undefined || this.server.client === undefined) {
            this.#item.hide();
            return;
        }
        const saved = this.#saved.get(`${code.number} ${chip.target} ${editor?.document.uri}`);
        this.#item.text = figures
            .map(([words, read]) => words(`${read(chip)}${difference(read(chip), saved && read(saved))}`))
            .join(" · ");
        const sums = code.chips.map(
            ({
                target,
                waves,
                limiter,
                clocks,
                best,
                worst,
                inverseThroughput,
                bound,
                vgprs,
                agprs,
                totalVgprs,
                sgprs,
            }) =>
                `${code.name} on ${target}: ${waves} waves, limited by ${limiter}; ` +
                (totalVgprs ? `${totalVgprs.used} vector registers of both kinds; ` : "") +
                `${vgprs.spare} VGPRs${agprs ? `${totalVgprs ? " or" : ","} ${agprs.spare} AGPRs` : ""} and ${sgprs.spare} SGPRs free; ` +
                `${clocks} clocks (${best} to ${worst}), ${inverseThroughput} of a SIMD per wave, bound by ${bound}`,
        );
        this.#item.tooltip = [...sums, "In parentheses: the change since the file was saved."].join("\n");
        this.#item.show();
    }
}

/** A change in parentheses, with its sign; nothing where there is none. */
function difference(now: number, saved: number | undefined): string {
    if (saved === undefined || now === saved) {
        return "";
    }
    return ` (${now > saved ? "+" : "−"}${Math.abs(now - saved)})`;
}
