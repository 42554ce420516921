// The line above compiled code: for which chip it is and of which text, with
// the ways on from there. A code lens, so that it has a line of its own.

import * as vscode from "vscode";
import { compiledScheme, viewScheme } from "../protocol";
import type { Baselines } from "./baseline";
import { ageOf } from "./decorations";
import type { CompiledViews } from "./views";

export class CompiledHeader implements vscode.CodeLensProvider, vscode.Disposable {
    readonly #changed = new vscode.EventEmitter<void>();
    readonly #subscriptions: vscode.Disposable[];
    readonly onDidChangeCodeLenses = this.#changed.event;

    constructor(
        private readonly views: CompiledViews,
        private readonly baselines: Baselines,
    ) {
        this.#subscriptions = [
            this.#changed,
            vscode.languages.registerCodeLensProvider([{ scheme: compiledScheme }, { scheme: viewScheme }], this),
            views.onDidChangeView(() => this.#changed.fire()),
            baselines.onDidChangeComparison(() => this.#changed.fire()),
        ];
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
    }

    provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
        const view = this.views.of(document.uri);
        if (view === undefined) {
            return [];
        }
        const top = new vscode.Range(0, 0, 0, 0);
        const age = ageOf(view.code);
        const since = this.baselines.summaryOf(view);
        const lenses = [
            new vscode.CodeLens(top, {
                title: age === undefined ? "$(pass)\u00a0up to date" : `$(history)\u00a0${age}`,
                tooltip: "Go to the line that the machine code at the cursor was compiled from",
                command: "tungsten.openSource",
            }),
            new vscode.CodeLens(top, {
                title: `$(chip)\u00a0${view.code.target}`,
                tooltip: "Compile for another chip",
                command: "tungsten.switchTarget",
            }),
        ];
        if (since !== undefined) {
            lenses.push(
                new vscode.CodeLens(top, {
                    title: `$(pinned)\u00a0${since}`,
                    tooltip: "Compare with the code that was pinned",
                    command: "tungsten.compareBaseline",
                }),
            );
        }
        return lenses;
    }
}
