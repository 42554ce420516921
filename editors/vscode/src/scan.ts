// Tells by a few tests of its text whether a document holds a shader: cheap enough for every
// document that is opened.

import type * as vscode from "vscode";

const stage = "(?:FRAG|VERT|GEOM|COMP|TESS_CTRL|TESS_EVAL)";

/** What a shader begins with, not far behind its header. */
const beginning = "[^]{0,300}?(?:DCL |PROPERTY |IMM)";

/** A header alone in its line, in its literal, or before an escaped line end. */
const header = new RegExp(`(?:^|[^A-Za-z0-9_])n?${stage}[ \\t]*(?:\\\\[nr]|["'\`]|\\x1b\\[|\\r?$)${beginning}`, "m");

/** Whether a document holds what looks like a shader. */
export function holdsShader(document: vscode.TextDocument): boolean {
    const text = document.getText();
    return text.includes("DCL ") && text.includes("END") && header.test(text);
}
