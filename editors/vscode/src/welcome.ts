// What a newcomer is told: an example to try, and what is missing on this machine.

import { readFile } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Server } from "./client";
import type { Status } from "./protocol";

/** Where it is kept that the user does not want to hear of a missing compiler again. */
const silenced = "tungsten.withoutCompiler";

/** The walkthrough's name in package.json, as commands want it. */
const walkthrough = "tungsten.tungsten#tungsten.start";

/** The folder of the examples that the extension carries. */
export function examples(extensionPath: string): string {
    return path.join(extensionPath, "dist", "examples");
}

export class Welcome implements vscode.Disposable {
    readonly #subscriptions: vscode.Disposable[];
    #told = false;

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly server: Server,
    ) {
        this.#subscriptions = [
            vscode.commands.registerCommand("tungsten.openExample", () => this.#openExample()),
            vscode.commands.registerCommand("tungsten.openDebuggingExample", () => this.#openDebuggingExample()),
            server.onDidChangeState((state) => {
                if (state.kind === "running") {
                    this.#compareVersions(state.version);
                }
            }),
            server.onDidChangeStatus((status) => void this.#lookForCompiler(status)),
        ];
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
    }

    /** Opens a copy of the example that the extension carries, so that it can be edited freely. */
    async #openExample(): Promise<void> {
        const file = path.join(examples(this.context.extensionPath), "lit_texture.tgsi");
        const content = await readFile(file, "utf8");
        const document = await vscode.workspace.openTextDocument({ language: "tgsi", content });
        await vscode.window.showTextDocument(document, { preview: false });
    }

    /** Opens the example to debug where it is: the debug adapter reads files. */
    async #openDebuggingExample(): Promise<void> {
        const file = path.join(examples(this.context.extensionPath), "zero_normal.tgsi");
        await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
    }

    /** Client and server are made together; others may not know each other's messages. */
    #compareVersions(server: string): void {
        const own = String(this.context.extension.packageJSON.version);
        if (server !== "" && server !== own) {
            void vscode.window.showWarningMessage(
                `The Tungsten server is of version ${server}, this extension of ${own}. ` +
                    "What they do not both know is missing: build or install the server of the same version.",
            );
        }
    }

    /** Tells once that shaders are checked but not compiled, and how to change that. */
    async #lookForCompiler({ searching, llvm, message }: Status): Promise<void> {
        const wanted = vscode.workspace.getConfiguration("tungsten").get<boolean>("compile", true);
        const silent = this.#told || this.context.globalState.get<boolean>(silenced, false);
        if (searching || llvm !== null || !wanted || silent) {
            return;
        }
        this.#told = true;
        const [how, again, never] = ["How to Get It", "Try Again", "Don't Show Again"];
        const choice = await vscode.window.showInformationMessage(
            message ?? "No libLLVM was found.",
            how,
            again,
            never,
        );
        if (choice === how) {
            await vscode.commands.executeCommand("workbench.action.openWalkthrough", walkthrough, false);
        } else if (choice === again) {
            this.#told = false;
            await this.server.restart();
        } else if (choice === never) {
            await this.context.globalState.update(silenced, true);
        }
    }
}
