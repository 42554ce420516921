// Where the editor enters: puts the parts together and takes them down.

import * as vscode from "vscode";
import { Server } from "./client";
import { CompiledCommands } from "./compiled/commands";
import { CompiledHeader } from "./compiled/header";
import { CursorLink } from "./compiled/link";
import { CompiledViews } from "./compiled/views";
import * as configuration from "./configuration";
import { Costs } from "./costs";
import { StatusItem } from "./status";
import { DecodedDocuments } from "./decoded";
import { detectAssembly } from "./detection";
import { Expansions } from "./expansions";
import { Welcome } from "./welcome";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    server = new Server(context.extensionPath);
    const running = server;
    const views = new CompiledViews(running);
    context.subscriptions.push(
        running,
        views,
        new CursorLink(views),
        new CompiledHeader(views),
        new CompiledCommands(running, views),
        new StatusItem(running, views),
        new Costs(running),
        new DecodedDocuments(running),
        new Expansions(running),
        new Welcome(context, running),
        vscode.commands.registerCommand("tungsten.restartServer", () => running.restart()),
        vscode.commands.registerCommand("tungsten.showOutput", () => running.showOutput()),
        vscode.workspace.onDidChangeConfiguration((event) => {
            if (running.wasStarted && configuration.restartIsNeeded(event)) {
                void running.restart();
            }
        }),
        detectAssembly(),
        vscode.workspace.onDidOpenTextDocument((document) => void startFor(document)),
    );
    await Promise.all(vscode.workspace.textDocuments.map(startFor));
}

/** Starts the server with the first document that it is for. */
async function startFor(document: vscode.TextDocument): Promise<void> {
    if (["tgsi", "gcn"].includes(document.languageId)) {
        await server?.start();
    }
}

export async function deactivate(): Promise<void> {
    await server?.stop();
}
