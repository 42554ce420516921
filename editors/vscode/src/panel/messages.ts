// What the panel's page and the extension tell each other. Types only, for both.

import type { CodeCosts } from "../protocol";

/** What the page shows. */
export interface Shown {
    kind: "costs";
    /** The document, which a jump names again. */
    uri: string;
    /** Its name, for the reader. */
    file: string;
    code: CodeCosts;
    /** The words of the lines that the costs name, by line. */
    words: Record<number, string>;
    /** The line of the cursor. */
    cursor: number;
}

/** Extension to page. */
export type ToPage = Shown | { kind: "nothing"; message: string } | { kind: "cursor"; line: number };

/** Page to extension: it is there; a line is wanted in the editor. */
export type FromPage = { kind: "ready" } | { kind: "open"; uri: string; line: number };
