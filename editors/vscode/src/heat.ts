// What lines cost, drawn as heat: in the gutter, and over the whole document in
// the scroll bar.

import * as vscode from "vscode";
import * as configuration from "./configuration";
import type { Costs } from "./costs";
import type { CodeCosts, LineCosts } from "./protocol";

/**
 * From cold to hot: one pale colour, which is none of errors, warnings or breakpoints, more
 * and more of it. The bars grow too, so that colour is not all there is.
 */
const colour = "#7788bb";
const opacities = [0.15, 0.25, 0.4, 0.6, 0.85];
const widths = [2, 3, 4, 6, 8];

/** The coldest that is marked in the scroll bar: marks everywhere would say nothing. */
const coldestInRuler = 4;

function bar(opacity: number, width: number): vscode.Uri {
    const shape = `<rect x="2" y="0" width="${width}" height="16" fill="${colour}" fill-opacity="${opacity}"/>`;
    const image = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">${shape}</svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(image).toString("base64")}`);
}

const heats = opacities.map((opacity, level) =>
    vscode.window.createTextEditorDecorationType({
        gutterIconPath: bar(opacity, widths[level] ?? 0),
        gutterIconSize: "contain",
        ...(level >= coldestInRuler && {
            overviewRulerColor: colour,
            overviewRulerLane: vscode.OverviewRulerLane.Left,
        }),
    }),
);

/**
 * How hot a line is, from 0 to the number of colours. Registers count in their
 * own measure; clocks by magnitude, or a single load would leave all else cold.
 */
function level(line: LineCosts, code: CodeCosts, heat: "registers" | "clocks"): number {
    const steps = opacities.length;
    if (heat === "registers") {
        const most = code.chips[0]?.vgprs.peak ?? 0;
        return most === 0 ? 0 : Math.min(steps - 1, Math.floor((line.vgprs / most) * steps));
    }
    const clocks = ({ issue, stall }: LineCosts): number => Math.log(Math.max(1, issue + stall));
    const most = Math.max(...code.lines.map(clocks));
    return most === 0 ? 0 : Math.min(steps - 1, Math.floor((clocks(line) / most) * steps));
}

/** Keeps the heat of the visible editors current. */
export class Heat implements vscode.Disposable {
    readonly #subscriptions: vscode.Disposable[];

    constructor(private readonly costs: Costs) {
        this.#subscriptions = [
            costs.onDidChange((document) =>
                vscode.window.visibleTextEditors
                    .filter((editor) => editor.document === document)
                    .forEach((editor) => this.#draw(editor)),
            ),
            configuration.onDidChangeDrawing(() =>
                vscode.window.visibleTextEditors.forEach((editor) => this.#draw(editor)),
            ),
            vscode.commands.registerCommand("tungsten.toggleHeat", () => configuration.toggleHeat()),
        ];
    }

    dispose(): void {
        this.#subscriptions.forEach((subscription) => subscription.dispose());
    }

    #draw(editor: vscode.TextEditor): void {
        const heat = configuration.heat();
        const marks: vscode.Range[][] = heats.map(() => []);
        for (const code of heat === "off" ? [] : this.costs.of(editor.document.uri)) {
            for (const line of code.lines) {
                const range = new vscode.Range(line.line, 0, line.line, 0);
                marks[level(line, code, heat as "registers" | "clocks")]?.push(range);
            }
        }
        heats.forEach((kind, index) => editor.setDecorations(kind, marks[index] ?? []));
    }
}
