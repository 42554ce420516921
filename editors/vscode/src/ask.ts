// Questions of our own to the server. One that an edit has overtaken is asked again:
// what the user wished for is wished for still, though the answer was lost.

import { type LanguageClient, LSPErrorCodes, type RequestType, ResponseError } from "vscode-languageclient/node";

/** What a server answers that was interrupted, by an edit or by what it compiled. */
const interrupted: number[] = [
    LSPErrorCodes.RequestCancelled,
    LSPErrorCodes.ContentModified,
    LSPErrorCodes.ServerCancelled,
];

/** How long an interrupted question rests before it is asked again, in milliseconds: the time of a key. */
const pause = 100;

/** Asks until there is an answer or a refusal, as long as the server runs. */
export async function ask<P, R>(client: LanguageClient, request: RequestType<P, R, void>, params: P): Promise<R> {
    for (;;) {
        try {
            return await client.sendRequest<R>(request.method, params);
        } catch (error) {
            const isInterrupted = error instanceof ResponseError && interrupted.includes(error.code);
            if (!isInterrupted || !client.isRunning()) {
                throw error;
            }
            await new Promise((resolve) => setTimeout(resolve, pause));
        }
    }
}
