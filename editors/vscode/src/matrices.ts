// Where the elements of a matrix product are: the map of the instruction at the cursor, as a page.

import * as vscode from "vscode";
import { matrixLayoutPage, pageScheme } from "./protocol";

/** The matrix product that a line has, and its first four operands. */
const product = /\bv_(?:mfma|smfmac)_\w+/i;
const operands = /\bv_(?:mfma|smfmac)_\w+\s+((?:[^\s,;/]+,\s*){3}[^\s,;/]+)/i;
/** The modifiers that say which formats A and B have. */
const formats = /\b(?:cbsz|blgp):\d+/g;

/** The command that shows the map beside the code. */
export function matrixLayouts(): vscode.Disposable {
    return vscode.commands.registerCommand("tungsten.showMatrixLayout", async () => {
        const editor = vscode.window.activeTextEditor;
        const line = editor?.document.lineAt(editor.selection.active.line).text ?? "";
        const mnemonic = product.exec(line)?.[0];
        if (mnemonic === undefined) {
            void vscode.window.showInformationMessage("There is no matrix product at the cursor.");
            return;
        }
        const named = operands.exec(line)?.[1]?.replaceAll(/\s/g, "");
        const name = [
            matrixLayoutPage + mnemonic,
            ...(line.match(formats) ?? []),
            ...(named === undefined ? [] : [`operands:${named}`]),
        ].join(" ");
        const uri = vscode.Uri.from({ scheme: pageScheme, path: `/${mnemonic} layout.md`, query: name });
        await vscode.commands.executeCommand("vscode.open", uri, {
            viewColumn: vscode.ViewColumn.Beside,
            preserveFocus: true,
        });
    });
}
