// Where the editor enters: puts the parts together and takes them down.

import * as vscode from "vscode";
import { FasterForms } from "./advice";
import { Server } from "./client";
import { Baselines } from "./compiled/baseline";
import { LineColours } from "./compiled/colours";
import { CompiledCommands } from "./compiled/commands";
import { CompiledHeader } from "./compiled/header";
import { CursorLink } from "./compiled/link";
import { CompiledTabs } from "./compiled/restore";
import { CompiledViews } from "./compiled/views";
import * as configuration from "./configuration";
import { Costs } from "./costs";
import { debugging } from "./debug";
import { DecodedDocuments } from "./decoded";
import { detectAssembly, detectTexts } from "./detection";
import { EmbeddedShaders } from "./embedded";
import { Expansions } from "./expansions";
import { Heat } from "./heat";
import { refreshHints } from "./hints";
import { matrixLayouts } from "./matrices";
import { Pages } from "./pages";
import { CostsPanel } from "./panel/view";
import { StatusItem } from "./status";
import { Sums } from "./sums";
import { Welcome } from "./welcome";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    server = new Server(context.extensionPath);
    const running = server;
    const views = new CompiledViews(running);
    const baselines = new Baselines(running, views);
    const commands = new CompiledCommands(running, views);
    const tabs = new CompiledTabs(context.workspaceState, commands);
    const costs = new Costs(running);
    context.subscriptions.push(
        running,
        views,
        new CursorLink(views),
        new LineColours(views),
        baselines,
        new CompiledHeader(views, baselines),
        commands,
        tabs,
        new StatusItem(running, views, costs),
        costs,
        new Heat(costs),
        refreshHints(running),
        new Sums(running, costs),
        new CostsPanel(context.extensionUri, costs),
        new DecodedDocuments(running),
        new Expansions(running),
        new FasterForms(running),
        new Pages(running),
        matrixLayouts(),
        debugging(context.extensionPath),
        new Welcome(context, running),
        vscode.commands.registerCommand("tungsten.restartServer", () => running.restart()),
        vscode.commands.registerCommand("tungsten.showOutput", () => running.showOutput()),
        vscode.workspace.onDidChangeConfiguration((event) => {
            if (running.wasStarted && configuration.restartIsNeeded(event)) {
                void running.restart();
            }
        }),
        detectAssembly(),
        detectTexts(context.globalState),
        new EmbeddedShaders(running),
        vscode.workspace.onDidOpenTextDocument((document) => void startFor(document)),
    );
    const waiting = running.onDidChangeState(({ kind }) => {
        if (kind === "running") {
            waiting.dispose();
            void tabs.restore();
        }
    });
    if (tabs.areRemembered) {
        void running.start();
    }
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
