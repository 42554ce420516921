// The status bar: what the server does, and for which chip the code in front
// of the user was compiled.

import * as vscode from "vscode";
import type { Server } from "./client";
import { ageOf } from "./compiled/decorations";
import type { CompiledViews } from "./compiled/views";
import * as configuration from "./configuration";
import type { Costs } from "./costs";
import { statusRequest } from "./protocol";

export class StatusItem implements vscode.Disposable {
    readonly #item = vscode.window.createStatusBarItem("tungsten.status", vscode.StatusBarAlignment.Right, 90);
    readonly #subscriptions: vscode.Disposable[];

    constructor(
        private readonly server: Server,
        private readonly views: CompiledViews,
        private readonly costs: Costs,
    ) {
        this.#item.name = "Tungsten";
        this.#subscriptions = [
            this.#item,
            server.onDidChangeState(() => this.#draw()),
            views.onDidChangeView(() => this.#draw()),
            costs.onDidChange(() => this.#draw()),
            vscode.window.onDidChangeActiveTextEditor(() => this.#draw()),
            vscode.workspace.onDidChangeConfiguration((event) => {
                if (event.affectsConfiguration("tungsten")) {
                    this.#draw();
                }
            }),
            vscode.commands.registerCommand("tungsten.showStatus", () => this.#showStatus()),
        ];
        this.#draw();
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
    }

    #draw(): void {
        const editor = vscode.window.activeTextEditor;
        const view = editor && (this.views.of(editor.document.uri) ?? this.views.ofSource(editor.document.uri)[0]);
        const isOurs = editor?.document.languageId === "tgsi" || editor?.document.languageId === "gcn";
        const state = this.server.state;
        if (!isOurs && state.kind !== "failed") {
            this.#item.hide();
            return;
        }
        this.#item.backgroundColor = undefined;
        this.#item.command = "tungsten.showStatus";
        switch (state.kind) {
            case "starting":
                this.#item.text = "$(loading~spin) Tungsten";
                this.#item.tooltip = "The Tungsten server is starting";
                break;
            case "stopped":
                this.#item.text = "$(circle-slash) Tungsten";
                this.#item.tooltip = "The Tungsten server does not run";
                break;
            case "failed":
                this.#item.text = "$(error) Tungsten";
                this.#item.tooltip = state.message;
                this.#item.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
                break;
            case "running": {
                const target = view?.code.target ?? this.#chipOf(editor) ?? "Tungsten";
                const age = view && ageOf(view.code);
                this.#item.text = `${age === undefined ? "$(chip)" : "$(history)"} ${target}`;
                this.#item.tooltip = `Tungsten ${state.version}${age === undefined ? "" : `: compiled code ${age}`}`;
                if (view !== undefined) {
                    this.#item.command = "tungsten.switchTarget";
                    this.#item.tooltip += "\nClick for another chip.";
                }
                break;
            }
        }
        this.#item.show();
    }

    /** The chip of a document: assembly says for which it is, shaders are compiled for the settings' first. */
    #chipOf(editor: vscode.TextEditor | undefined): string | undefined {
        const line = editor?.selection.active.line ?? 0;
        const known = editor && this.costs.at(editor.document.uri, line)?.chips[0]?.target;
        const isAssembly = editor?.document.languageId === "gcn";
        return known ?? (isAssembly ? undefined : configuration.targets()[0]);
    }

    /** Says what the server found and does. */
    async #showStatus(): Promise<void> {
        const client = this.server.client;
        if (client === undefined) {
            this.server.showOutput();
            return;
        }
        const status = await client.sendRequest(statusRequest);
        const llvm = status.llvm;
        const detail = [
            llvm === null
                ? status.searching
                    ? "Looking for libLLVM…"
                    : "No libLLVM in use"
                : `LLVM ${llvm.version}, ${llvm.path} (${llvm.origin})`,
            `Chips: ${status.targets.join(", ")}`,
            status.compiling === 0 ? "Nothing is being compiled" : `Being compiled: ${status.compiling}`,
            ...(status.message === null ? [] : [status.message]),
            ...[...status.assembly, ...status.shaders].map(
                ({ uri, message }) => `${uri.slice(uri.lastIndexOf("/") + 1)}: ${message}`,
            ),
        ];
        const log = "Show Log";
        const choice = await vscode.window.showInformationMessage(
            `Tungsten ${status.version}`,
            { modal: true, detail: detail.join("\n") },
            log,
        );
        if (choice === log) {
            this.server.showOutput();
        }
    }
}
