// One view of a shader compiled for one chip, as far as the editor knows it.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { ask } from "../ask";
import { type CompiledCode, compiledCodeRequest, type View } from "../protocol";

/** Which shader, chip and view are asked for. What is left out, the server chooses. */
export interface Wish {
    position?: vscode.Position;
    shader?: number;
    target?: string;
    view?: View;
}

/** What the endings of virtual documents stand for. */
const viewsByEnding: Record<string, View> = {
    gcn: "code",
    ll: "ir",
    spvasm: "spirv",
    glsl: "glsl",
    hosts: "hosts",
    hex: "hex",
    registers: "registers",
    waits: "waits",
};

/** Takes the URI of a virtual document apart: `/TARGET.NAME.SHADER.ENDING?SOURCE`. */
export function parseView(uri: vscode.Uri): { source: vscode.Uri; wish: Wish } | undefined {
    const [, target, shader, ending] = /^\/([^.]+)\..*\.(\d+)\.(\w+)$/.exec(uri.path) ?? [];
    const view = viewsByEnding[ending ?? ""];
    if (target === undefined || view === undefined || uri.query === "") {
        return undefined;
    }
    return { source: vscode.Uri.parse(uri.query, true), wish: { shader: Number(shader), target, view } };
}

/** Asks the server; `undefined` if the file holds no such shader. */
export async function askForCompiledCode(
    client: LanguageClient,
    source: vscode.Uri,
    wished: Wish,
): Promise<CompiledCode | undefined> {
    const { position, ...rest } = wished;
    const answer = await ask(client, compiledCodeRequest, {
        textDocument: { uri: client.code2ProtocolConverter.asUri(source) },
        ...rest,
        ...(position && { position: client.code2ProtocolConverter.asPosition(position) }),
    });
    return answer ?? undefined;
}

/**
 * What one virtual document shows. The server decides when its text changes;
 * the view asks again then, and whenever the source is edited, since an edit
 * that changes no code still moves the lines it came from.
 */
export class CompiledView {
    readonly uri: vscode.Uri;
    #code: CompiledCode;
    /** An answer is awaited; if wanted again meanwhile, one more is asked for. */
    #asking = false;
    #wantedAgain = false;

    constructor(
        readonly source: vscode.Uri,
        code: CompiledCode,
        private readonly changed: (view: CompiledView) => void,
    ) {
        this.uri = vscode.Uri.parse(code.uri, true);
        this.#code = code;
    }

    /** The newest answer. */
    get code(): CompiledCode {
        return this.#code;
    }

    /** Whether a notification about a shader is about this one. */
    shows(source: string, { shader, target, view }: { shader: number; target: string; view: string }): boolean {
        const code = this.#code;
        return (
            this.source.toString() === source &&
            code.shader === shader &&
            code.target === target &&
            // Pinning changes what the view of the code says of itself.
            (code.view === view || view === "baseline")
        );
    }

    /** The lines of the compiled document that come from a line of the source. */
    linesOf(sourceLine: number): number[] {
        const lines: number[] = [];
        this.#code.sourceLines.forEach((origin, line) => {
            if (origin === sourceLine) {
                lines.push(line);
            }
        });
        return lines;
    }

    /** The line of the source that a line of the compiled document comes from. */
    sourceLineOf(line: number): number | undefined {
        return this.#code.sourceLines[line] ?? undefined;
    }

    /** Asks the server again; at most one question is on its way at a time. */
    async refresh(client: LanguageClient): Promise<void> {
        if (this.#asking) {
            this.#wantedAgain = true;
            return;
        }
        this.#asking = true;
        try {
            do {
                this.#wantedAgain = false;
                const { shader, target, view } = this.#code;
                const code = await askForCompiledCode(client, this.source, { shader, target, view });
                // Between a newer edit and its answer the lines would be off.
                if (!this.#wantedAgain) {
                    this.#accept(code);
                }
            } while (this.#wantedAgain);
        } finally {
            this.#asking = false;
        }
    }

    /** The server is gone: what is shown is of an earlier text from now on. */
    disconnect(message: string): void {
        this.#code = { ...this.#code, state: "outdated", message };
        this.changed(this);
    }

    #accept(code: CompiledCode | undefined): void {
        // A shader that is no longer in the file keeps its last code on show.
        this.#code = code ?? {
            ...this.#code,
            state: "outdated",
            message: "The shader is no longer in the file.",
        };
        this.changed(this);
    }
}
