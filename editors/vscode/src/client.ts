// Starts, restarts and stops the language server.

import * as vscode from "vscode";
import {
    type ClientCapabilities,
    CodeLensResolveRequest,
    LanguageClient,
    type LanguageClientOptions,
    LSPErrorCodes,
    type MessageSignature,
    ResponseError,
    State,
    type StaticFeature,
} from "vscode-languageclient/node";
import * as configuration from "./configuration";
import { hintsMiddleware } from "./hints";
import { compiledScheme, decodedScheme, type Status, statusChanged, viewScheme } from "./protocol";
import { findServer } from "./server";

/** What the server is doing, for the status item. */
export type ServerState =
    | { kind: "starting" }
    | { kind: "running"; version: string }
    | { kind: "stopped" }
    | { kind: "failed"; message: string };

/**
 * What this extension does itself. The client's offer to show the server's virtual
 * documents is taken back, since the text is needed with its lines' sources from
 * one and the same answer.
 */
const ownAbilities: StaticFeature = {
    fillClientCapabilities(capabilities: ClientCapabilities): void {
        delete capabilities.workspace?.textDocumentContent;
        capabilities.experimental = {
            tungsten: {
                // Said with what can be done about it: see welcome.ts.
                tellsMissingCompiler: true,
                statusNotification: true,
                // See pages.ts.
                showsPages: true,
                // See advice.ts.
                findsFasterForms: true,
            },
        };
    },
    initialize(): void {},
    getState() {
        return { kind: "static" };
    },
    clear(): void {},
};

/** A client for which a message that its own end or restart cut off is not an error. */
class QuietClient extends LanguageClient {
    override handleFailedRequest<T>(
        type: MessageSignature,
        token: vscode.CancellationToken | undefined,
        error: unknown,
        nothing: T,
        ...more: [showNotification?: boolean, throwOnCancel?: boolean]
    ): T {
        const isOvertaken = error instanceof ResponseError && error.code === LSPErrorCodes.ContentModified;
        if (type.method === CodeLensResolveRequest.method && (isOvertaken || !this.isRunning())) {
            // Nothing is the lens as it was, without the command that the editor demands.
            throw new vscode.CancellationError();
        }
        return this.isRunning() ? super.handleFailedRequest(type, token, error, nothing, ...more) : nothing;
    }

    /** What a server missed by its end, the next one is told with the whole documents. */
    override async sendNotification(type: string | MessageSignature, params?: unknown): Promise<void> {
        try {
            await super.sendNotification(type as string, params);
        } catch (error) {
            await momentLater();
            if (this.isRunning()) {
                throw error;
            }
        }
    }

    override error(message: string, data?: unknown, showNotification?: boolean | "force"): void {
        if (this.state === State.Stopped) {
            this.info(message, data, false);
        } else {
            super.error(message, data, this.isRunning() ? showNotification : false);
        }
    }
}

/** The end of a connection is known a moment after the messages that it cut off have failed. */
function momentLater(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve));
}

/** Owns the connection to the server, of which there is at most one. */
export class Server implements vscode.Disposable {
    readonly #output = vscode.window.createOutputChannel("Tungsten", { log: true });
    readonly #stateChanged = new vscode.EventEmitter<ServerState>();
    readonly #started = new vscode.EventEmitter<LanguageClient>();
    readonly #initialized = new vscode.EventEmitter<LanguageClient>();
    readonly #statusChanged = new vscode.EventEmitter<Status>();
    /** Starts and stops follow each other in order. */
    #queue: Promise<void> = Promise.resolve();
    #client: LanguageClient | undefined;
    /** A server that failed or was stopped is not started again by opening documents. */
    #wasStarted = false;
    #state: ServerState = { kind: "stopped" };

    /** Fires with every new state. */
    readonly onDidChangeState = this.#stateChanged.event;
    /** Fires with a new client before it starts, for handlers to be added. */
    readonly onWillStart = this.#started.event;
    /** Fires with a client that has told its server all, each time that one has started. */
    readonly onDidInitialize = this.#initialized.event;
    /** Fires with what the server found on this machine and does, whenever that is another. */
    readonly onDidChangeStatus = this.#statusChanged.event;

    constructor(private readonly extensionFolder: string) {}

    /** Whether the server was ever wanted. */
    get wasStarted(): boolean {
        return this.#wasStarted;
    }

    get state(): ServerState {
        return this.#state;
    }

    /** The client, if the server runs. */
    get client(): LanguageClient | undefined {
        return this.#client?.state === State.Running ? this.#client : undefined;
    }

    /** The client as soon as the server runs, which is started if need be; refuses if it does not come up. */
    running(): Promise<LanguageClient> {
        void this.start();
        return new Promise((accept, refuse) => {
            const look = (): boolean => {
                const client = this.client;
                if (client !== undefined) {
                    accept(client);
                } else if (this.#state.kind === "failed") {
                    refuse(new Error(this.#state.message));
                }
                return client !== undefined || this.#state.kind === "failed";
            };
            if (!look()) {
                const waiting = this.onDidChangeState(() => {
                    if (look()) {
                        waiting.dispose();
                    }
                });
            }
        });
    }

    /** The answer of a server that runs, as above. Where it ends before it answers, the next one is asked. */
    async answer<T>(question: (client: LanguageClient) => Promise<T>): Promise<T> {
        for (;;) {
            const client = await this.running();
            try {
                return await question(client);
            } catch (error) {
                await momentLater();
                if (client === this.client) {
                    throw error;
                }
            }
        }
    }

    /** Starts the server, unless that was done before. */
    start(): Promise<void> {
        return this.#wasStarted ? this.#queue : this.restart();
    }

    /** Starts the server, after stopping the one that runs. */
    restart(): Promise<void> {
        this.#wasStarted = true;
        return this.#enqueue(async () => {
            await this.#stopNow();
            await this.#startNow();
        });
    }

    stop(): Promise<void> {
        return this.#enqueue(() => this.#stopNow());
    }

    showOutput(): void {
        this.#output.show(true);
    }

    dispose(): void {
        this.#stateChanged.dispose();
        this.#started.dispose();
        this.#initialized.dispose();
        this.#statusChanged.dispose();
        this.#output.dispose();
    }

    #enqueue(task: () => Promise<void>): Promise<void> {
        this.#queue = this.#queue.then(task, task);
        return this.#queue;
    }

    #setState(state: ServerState): void {
        this.#state = state;
        this.#stateChanged.fire(state);
    }

    async #startNow(): Promise<void> {
        this.#setState({ kind: "starting" });
        try {
            const command = await findServer(this.extensionFolder);
            this.#output.info(`server: ${command}`);
            const client = new QuietClient(
                "tungsten",
                "Tungsten",
                {
                    command,
                    args: ["lsp", ...configuration.serverArguments()],
                    options: { env: configuration.serverEnvironment() },
                },
                this.#options(),
            );
            client.registerFeature({ ...ownAbilities, initialize: () => this.#initialized.fire(client) });
            client.onDidChangeState(({ newState }) => this.#follow(client, newState));
            client.onNotification(statusChanged, (status) => {
                if (client === this.#client) {
                    this.#statusChanged.fire(status);
                }
            });
            this.#client = client;
            this.#started.fire(client);
            await client.start();
        } catch (error) {
            this.#client = undefined;
            const message = error instanceof Error ? error.message : String(error);
            this.#output.error(message);
            this.#setState({ kind: "failed", message });
            void this.#report(message);
        }
    }

    #options(): LanguageClientOptions {
        return {
            documentSelector: [
                { scheme: "file", language: "tgsi" },
                { scheme: "untitled", language: "tgsi" },
                { scheme: decodedScheme, language: "tgsi" },
                { scheme: "file", language: "gcn" },
                { scheme: "untitled", language: "gcn" },
                { scheme: decodedScheme, language: "gcn" },
                { scheme: compiledScheme, language: "gcn" },
            ],
            outputChannel: this.#output,
            initializationOptions: configuration.forServer(),
            markdown: { supportHtml: false },
            middleware: hintsMiddleware,
        };
    }

    /** The client restarts a server that died by itself; its state says so. */
    #follow(client: LanguageClient, state: State): void {
        if (client !== this.#client) {
            return;
        }
        switch (state) {
            case State.Starting:
                this.#setState({ kind: "starting" });
                break;
            case State.Running:
                this.#setState({
                    kind: "running",
                    version: client.initializeResult?.serverInfo?.version ?? "",
                });
                break;
            case State.Stopped:
                this.#setState({ kind: "stopped" });
                break;
        }
    }

    async #stopNow(): Promise<void> {
        const client = this.#client;
        this.#client = undefined;
        if (client?.needsStop()) {
            await client.stop();
        }
        await client?.dispose();
        this.#setState({ kind: "stopped" });
    }

    async #report(message: string): Promise<void> {
        const settings = "Open Settings";
        const log = "Show Log";
        const retry = "Try Again";
        const choice = await vscode.window.showErrorMessage(message, settings, log, retry);
        if (choice === settings) {
            await vscode.commands.executeCommand("workbench.action.openSettings", "tungsten.server.path");
        } else if (choice === log) {
            this.showOutput();
        } else if (choice === retry) {
            await this.restart();
        }
    }
}

/** Whether a document is one that shows compiled code, in whatever view. */
export function isCompiledDocument(document: vscode.TextDocument): boolean {
    return document.uri.scheme === compiledScheme || document.uri.scheme === viewScheme;
}
