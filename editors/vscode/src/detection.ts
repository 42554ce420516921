// Recognises GCN assembly in files whose names belong to many machines, and shaders in logs and
// plain texts.
//
// `.s`, `.asm` and `.isa` say nothing of the machine, so a file of such a name is
// taken only if it holds a word that no other machine's assembly has. A language
// that the user chose for the name stays.

import * as vscode from "vscode";
import { holdsShader } from "./scan";

const names = /\.(s|asm|isa)$/i;

/**
 * Words of GCN alone: its directives, instructions that nearly every program has, and the
 * symbols by which a file that only chooses what it includes asks for the chip.
 */
const words =
    /\.amdgcn\.gfx_generation_|^\s*(?:\.amdgcn_target|\.amdhsa_kernel|\.amd_kernel_code_t|\.amdgpu_\w+|\.hsa_code_object_\w+|\.amdcl2?\b|\.gallium\b|\.rocm\b|s_endpgm|s_waitcnt|s_mov_b(?:32|64)|s_load_dword\w*|v_mov_b32\w*)(?=\s|$)/m;

/** How much of a file is looked at, in characters. */
const mostCharacters = 64 * 1024;

/** Whether a document is GCN assembly that the editor took for something else. */
function isAssembly(document: vscode.TextDocument): boolean {
    if (!names.test(document.uri.path) || ["gcn", "tgsi"].includes(document.languageId)) {
        return false;
    }
    const chosen = vscode.workspace.getConfiguration("files", document.uri).get<Record<string, string>>("associations");
    const extension = document.uri.path.slice(document.uri.path.lastIndexOf("."));
    if (chosen?.[`*${extension}`] !== undefined) {
        return false;
    }
    const end = document.positionAt(mostCharacters);
    return words.test(document.getText(new vscode.Range(new vscode.Position(0, 0), end)));
}

/** Gives such documents their language, those that are open and those to come. */
export function detectAssembly(): vscode.Disposable {
    const look = (document: vscode.TextDocument): void => {
        if (isAssembly(document)) {
            void vscode.languages.setTextDocumentLanguage(document, "gcn");
        }
    };
    vscode.workspace.textDocuments.forEach(look);
    return vscode.workspace.onDidOpenTextDocument(look);
}

/** Languages of logs and of texts without any. */
const textLanguages = ["plaintext", "log"];

/** Where the user's answer is kept. */
const answerKey = "tungsten.textsWithShaders";

/** Offers TGSI as the language of logs and texts that hold shaders, and remembers the answer. */
export function detectTexts(memory: vscode.Memento): vscode.Disposable {
    let isAsking = false;
    const look = async (document: vscode.TextDocument): Promise<void> => {
        const answer = memory.get<"always" | "never">(answerKey);
        const isText = textLanguages.includes(document.languageId) && document.uri.scheme === "file";
        if (answer === "never" || isAsking || !isText || !holdsShader(document)) {
            return;
        }
        if (answer === undefined) {
            isAsking = true;
            const [always, never] = ["Show Such Texts as TGSI", "Never"];
            const choice = await vscode.window.showInformationMessage(
                "This text holds TGSI shaders. As TGSI they are checked, compiled and explained.",
                always,
                never,
            );
            isAsking = false;
            if (choice !== undefined) {
                await memory.update(answerKey, choice === always ? "always" : "never");
            }
            if (choice !== always) {
                return;
            }
        }
        if (!document.isClosed) {
            await vscode.languages.setTextDocumentLanguage(document, "tgsi");
        }
    };
    vscode.workspace.textDocuments.forEach((document) => void look(document));
    return vscode.workspace.onDidOpenTextDocument((document) => void look(document));
}
