// Find a Faster Form: a search in the background for a form of the shader or kernel at
// the cursor that costs less and does the same.
//
// What is found is shown beside what is there, in the editor's own difference view, and
// applied only where the user says so and the text is still the one that was searched.

import * as vscode from "vscode";
import { type LanguageClient, LSPErrorCodes, ResponseError, WorkDoneProgress } from "vscode-languageclient/node";
import type { Server } from "./client";
import { type Advice, adviceScheme, adviseRequest, type FindFasterFormReference } from "./protocol";

/** What is searched: a place in a document. */
interface Subject {
    source: vscode.Uri;
    position: vscode.Position;
}

/** How many times longer a search is that the user asks for again. */
const longer = 6;

/** Serves the command, and the two sides of what it finds. */
export class FasterForms implements vscode.TextDocumentContentProvider, vscode.Disposable {
    /** The texts that are shown, by the URI that shows each. */
    readonly #texts = new Map<string, string>();
    readonly #subscriptions: vscode.Disposable[];
    /** Makes the name of each search, and the URIs of what it shows, new. */
    #count = 0;

    constructor(private readonly server: Server) {
        this.#subscriptions = [
            vscode.workspace.registerTextDocumentContentProvider(adviceScheme, this),
            vscode.workspace.onDidCloseTextDocument((document) => this.#texts.delete(document.uri.toString())),
            vscode.commands.registerCommand("tungsten.findFasterForm", (argument?: unknown) =>
                this.#find(isReference(argument) ? argument : undefined),
            ),
        ];
    }

    dispose(): void {
        for (const subscription of this.#subscriptions) {
            subscription.dispose();
        }
    }

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.#texts.get(uri.toString()) ?? "";
    }

    /** Searches at the place that a code action names, else at the cursor. */
    async #find(reference: FindFasterFormReference | undefined): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (reference !== undefined) {
            const { line, character } = reference.position;
            const source = vscode.Uri.parse(reference.uri, true);
            await this.#search({ source, position: new vscode.Position(line, character) });
        } else if (editor !== undefined && ["tgsi", "gcn"].includes(editor.document.languageId)) {
            await this.#search({ source: editor.document.uri, position: editor.selection.active });
        } else {
            void vscode.window.showInformationMessage("Open a shader or a kernel to find a faster form of it.");
        }
    }

    async #search(subject: Subject, seconds?: number): Promise<void> {
        let advice: Advice | undefined;
        try {
            advice = await this.#ask(subject, seconds);
        } catch (error) {
            if (!isCancelled(error)) {
                void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
            }
            return;
        }
        if (advice === undefined) {
            void vscode.window.showInformationMessage("There is no shader or kernel at the cursor.");
        } else if (advice.status === "better") {
            await this.#show(subject, advice);
        } else {
            const more = advice.status === "none" && !advice.complete ? ["Search Longer"] : [];
            const chosen = await vscode.window.showInformationMessage(sentence(advice), ...more);
            if (chosen !== undefined) {
                const usual = vscode.workspace.getConfiguration("tungsten", subject.source).get("advice.seconds");
                await this.#search(subject, (seconds ?? (typeof usual === "number" ? usual : 10)) * longer);
            }
        }
    }

    /** Asks under a progress display, whose button ends the search. */
    async #ask({ source, position }: Subject, seconds: number | undefined): Promise<Advice | undefined> {
        const client = await this.server.running();
        this.#count += 1;
        const workDoneToken = `tungsten.findFasterForm/${this.#count}`;
        const display = {
            location: vscode.ProgressLocation.Notification,
            title: "Searching for a faster form",
            cancellable: true,
        };
        return await vscode.window.withProgress(display, async (progress, cancellation) => {
            let shown = 0;
            const reports = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
                if (value.kind === "report") {
                    const percentage = value.percentage ?? shown;
                    progress.report({ message: value.message ?? "", increment: percentage - shown });
                    shown = percentage;
                }
            });
            try {
                const params = {
                    textDocument: { uri: client.code2ProtocolConverter.asUri(source) },
                    position: client.code2ProtocolConverter.asPosition(position),
                    seconds,
                    workDoneToken,
                };
                const answer = await client.sendRequest<Advice | null>(adviseRequest.method, params, cancellation);
                return answer ?? undefined;
            } finally {
                reports.dispose();
            }
        });
    }

    /** Shows both texts side by side, and offers to apply the one that was found. */
    async #show(subject: Subject, advice: Advice): Promise<void> {
        const name = subject.source.path.split("/").pop() ?? "code";
        if (advice.preview !== null) {
            await this.#compare(`${name}: a faster form`, name, advice.preview);
        }
        const apply = advice.edit !== null ? ["Apply"] : [];
        const code = advice.machineCode !== null ? ["Compare Machine Code"] : [];
        for (;;) {
            const chosen = await vscode.window.showInformationMessage(sentence(advice), ...apply, ...code);
            if (chosen === "Apply") {
                const client = await this.server.running();
                await applyTo(client, subject.source, advice);
            } else if (chosen !== undefined && advice.machineCode !== null) {
                await this.#compare(`${name}: machine code on ${advice.target}`, `${name}.gcn`, advice.machineCode);
                continue;
            }
            return;
        }
    }

    async #compare(title: string, name: string, { before, after }: { before: string; after: string }): Promise<void> {
        this.#count += 1;
        const [left, right] = ["before", "after"].map((side) =>
            vscode.Uri.from({ scheme: adviceScheme, path: `/${side}/${name}`, query: String(this.#count) }),
        ) as [vscode.Uri, vscode.Uri];
        this.#texts.set(left.toString(), before);
        this.#texts.set(right.toString(), after);
        await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: false });
    }
}

/** The message with a capital at its beginning and a full stop at its end. */
function sentence({ message }: Advice): string {
    return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** Applies what was found where the document is still the one that was searched. */
async function applyTo(client: LanguageClient, source: vscode.Uri, { edit }: Advice): Promise<void> {
    if (edit === null) {
        return;
    }
    const document = await vscode.workspace.openTextDocument(source);
    const versions = (edit.documentChanges ?? []).map((change) =>
        "textDocument" in change ? change.textDocument.version : null,
    );
    if (versions.some((version) => version !== null && version !== document.version)) {
        void vscode.window.showWarningMessage(
            "The text has changed since it was searched. Undo the change, or search again.",
        );
        return;
    }
    const converted = await client.protocol2CodeConverter.asWorkspaceEdit(edit);
    await vscode.workspace.applyEdit(converted);
    await vscode.window.showTextDocument(document);
}

function isCancelled(error: unknown): boolean {
    const isOfServer = error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled;
    return isOfServer || error instanceof vscode.CancellationError;
}

function isReference(argument: unknown): argument is FindFasterFormReference {
    if (typeof argument !== "object" || argument === null) {
        return false;
    }
    const { uri, position } = argument as Partial<Record<keyof FindFasterFormReference, unknown>>;
    return typeof uri === "string" && typeof position === "object" && position !== null;
}
