// The settings, read at the moment they are needed.

import * as vscode from "vscode";

import { serverSettings } from "./settings.js";

const section = "tungsten";

function configuration(scope?: vscode.Uri): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration(section, scope ?? null);
}

/**
 * What the user set, whatever a workspace says: what names programs, native code or folders
 * outside of the workspace is the user's alone to name.
 */
function ofUser<T>(key: string): T | undefined {
    return configuration().inspect<T>(key)?.globalValue;
}

/** A path with `~` filled in. */
function path(written: string): string {
    const home = process.env["HOME"] ?? process.env["USERPROFILE"] ?? "~";
    return written.trim().replace(/^~(?=[\\/])/, home);
}

/** Where the server is, if the user says so. */
export function serverPath(): string | undefined {
    const written = ofUser<string | null>("server.path")?.trim();
    return written ? path(written) : undefined;
}

/** What the user names and no workspace may, as arguments of the server. */
export function serverArguments(): string[] {
    const llvm = ofUser<string | null>("llvm")?.trim();
    return [...(llvm ? ["--llvm", path(llvm)] : []), ...trustedFolderArguments()];
}

/** The folders that the user trusts, as arguments of the program. */
export function trustedFolderArguments(): string[] {
    const trusted = ofUser<string[]>("trustedFolders") ?? [];
    return trusted.flatMap((folder) => ["--trust", path(folder)]);
}

/** The same as variables of the server's environment. */
export function serverEnvironment(): NodeJS.ProcessEnv {
    const cache = ofUser<boolean | string>("cache");
    const folder = cache === false ? "off" : typeof cache === "string" ? path(cache) : "";
    return folder === "" ? process.env : { ...process.env, TUNGSTEN_CACHE: folder };
}

/** The chips that shaders are compiled for. */
export function targets(): string[] {
    return configuration().get<string[]>("targets", []);
}

/** Sets the chips where they are set now: in the workspace if it has them, else for the user. */
export async function setTargets(names: string[]): Promise<void> {
    const inspected = configuration().inspect<string[]>("targets");
    const place =
        inspected?.workspaceValue === undefined
            ? vscode.ConfigurationTarget.Global
            : vscode.ConfigurationTarget.Workspace;
    await configuration().update("targets", names, place);
}

/** Whether source and compiled code scroll together. */
export function scrollsTogether(): boolean {
    return configuration().get<boolean>("compiledCode.scrollTogether", true);
}

/** Whether anything is drawn at or beside the lines, hints included. */
export function decorations(): boolean {
    return configuration().get<boolean>("decorations", true);
}

/** What the gutter and the scroll bar show of each line. */
export function heat(): "off" | "registers" | "clocks" {
    return decorations() ? configuration().get<"off" | "registers" | "clocks">("heat", "clocks") : "off";
}

/** Shows the next measure as heat: clocks, registers, none. */
export async function toggleHeat(): Promise<void> {
    const next = { clocks: "registers", registers: "off", off: "clocks" }[heat()];
    await configuration().update("heat", next, vscode.ConfigurationTarget.Global);
}

/** How lines that belong together are coloured. */
export function colours(): "off" | "edge" | "background" {
    return decorations() ? configuration().get<"off" | "edge" | "background">("compiledCode.colours", "edge") : "off";
}

/** Colours lines in the next way: at their edge, behind them, not at all. */
export async function toggleColours(): Promise<void> {
    const next = { off: "edge", edge: "background", background: "off" }[colours()];
    await configuration().update("compiledCode.colours", next, vscode.ConfigurationTarget.Global);
}

/** Calls a listener whenever a setting of what is drawn changes. */
export function onDidChangeDrawing(listener: () => void): vscode.Disposable {
    const drawing = ["decorations", "heat", "compiledCode.colours"].map((key) => `${section}.${key}`);
    return vscode.workspace.onDidChangeConfiguration((event) => {
        if (drawing.some((key) => event.affectsConfiguration(key))) {
            listener();
        }
    });
}

/** Whether a change touches what the server is started with. */
export function restartIsNeeded(event: vscode.ConfigurationChangeEvent): boolean {
    const keys = ["server", "llvm", "trustedFolders", "cache"];
    return keys.some((key) => event.affectsConfiguration(`${section}.${key}`));
}

/** The settings that the server reads, as it names them. */
export function forServer(): Record<string, unknown> {
    const settings = configuration();
    return Object.fromEntries(serverSettings.map((word) => [word, settings.get(word)]));
}
