// The server's own messages, beside the ones of the language server protocol.
// The server's PROTOCOL.md says the same in prose.

import {
    NotificationType,
    type Position,
    RequestType,
    RequestType0,
    type TextDocumentIdentifier,
    type WorkspaceEdit,
} from "vscode-languageclient/node";

/** What is shown of a shader: its machine code, the LLVM IR it is lowered to, its bytes. */
export type View = "code" | "ir" | "spirv" | "glsl" | "hosts" | "hex" | "registers" | "waits";

/** Names a shader and a chip. What is left out, the server chooses. */
export interface CodeSelection {
    textDocument: TextDocumentIdentifier;
    /** Chooses the shader around it, when `shader` is left out. */
    position?: Position;
    /** Which shader of the file, from 0. */
    shader?: number;
    /** A chip: `polaris10`. The first configured one when left out. */
    target?: string;
}

/** Asks for the machine code of a shader, or for another view of it. */
export interface CompiledCodeParams extends CodeSelection {
    view?: View;
}

/**
 * How current compiled code is: of the current text (`fresh`); of an earlier
 * one while the next is compiled (`stale`); of an earlier one because the
 * current one has errors (`outdated`); not there yet (`pending`); not to be
 * had (`unavailable`).
 */
export type CompiledState = "fresh" | "stale" | "outdated" | "pending" | "unavailable";

/** The machine code of a shader as a document, joined to its source. */
export interface CompiledCode {
    /** The virtual document that shows it. */
    uri: string;
    text: string;
    state: CompiledState;
    /** Why the state is what it is, where there is more to say. */
    message: string | null;
    /** For each line of the text, the line of the source (from 0) it was compiled from. */
    sourceLines: (number | null)[];
    /** Changes whenever the text does. */
    hash: string;
    shader: number;
    target: string;
    view: View;
    /** Code of this shader and chip was kept to be compared with. */
    pinned: boolean;
    /** The chips of the settings. */
    targets: string[];
}

export const compiledCodeRequest = new RequestType<CompiledCodeParams, CompiledCode | null, void>(
    "tungsten/compiledCode",
);

/** Says that asking again for the compiled code of a shader gives another answer. */
export interface CompiledCodeChangedParams {
    textDocument: TextDocumentIdentifier;
    shader: number;
    target: string;
    view: View | "targets" | "baseline";
}

export const compiledCodeChanged = new NotificationType<CompiledCodeChangedParams>("tungsten/compiledCodeChanged");

/** Asks for a shader's code beside what was kept of it, as data. */
export interface CompareParams extends CodeSelection {
    with: "baseline";
}

/** The sums of compiled code. */
export interface CompiledFigures {
    instructions: number;
    bytes: number;
    vgprs: number;
    agprs?: number;
    /** Of both kinds, where they share a file and there are some of each. */
    totalVgprs?: number;
    sgprs: number;
    lds: number;
    scratch: number;
    spilledVgprs: number;
    spilledSgprs: number;
    waves: number;
    limiter: string;
    clocks: number;
    inverseThroughput: number;
}

/** Two states of a shader's code, statement by statement. */
export interface Comparison {
    shader: number;
    /** What was kept, and what is now. */
    columns: {
        label: string;
        target: string;
        state: CompiledState;
        message: string | null;
        figures: CompiledFigures | null;
    }[];
    statements: {
        line: number | null;
        text: string | null;
        before: string | null;
        rows: { change: string; cells: ({ offset: number; text: string } | null)[] }[];
    }[];
}

export const compareRequest = new RequestType<CompareParams, Comparison | null, void>("tungsten/compare");

/** Keeps the code of a shader, to be compared with later code; `null` where there is none. */
export const pinBaselineRequest = new RequestType<
    CodeSelection,
    { shader: number; target: string; state: CompiledState; figures: CompiledFigures } | null,
    void
>("tungsten/pinBaseline");

/** Forgets what was kept; says whether anything was. */
export const unpinBaselineRequest = new RequestType<CodeSelection, boolean, void>("tungsten/unpinBaseline");

/** Asks what the shaders or kernels of a document cost. */
export interface CostsParams {
    textDocument: TextDocumentIdentifier;
}

/** Registers of one kind. */
export interface RegisterCosts {
    used: number;
    allocated: number;
    peak: number;
    spare: number;
}

/** The sums of a code on a chip. */
export interface ChipCosts {
    target: string;
    waves: number;
    /** The whole workgroups on a compute unit and their waves per SIMD, where these are fewer. */
    wholeGroups?: { groups: number; waves: number };
    limiter: string;
    vgprs: RegisterCosts;
    /** Accumulation registers, where the code names any. */
    agprs?: RegisterCosts;
    /** Those of both kinds together, where they share a file and there are some of each. */
    totalVgprs?: RegisterCosts;
    sgprs: RegisterCosts;
    /** With `eitherKind` one of `vgprs` and `agprs` is enough. */
    relief: { waves: number; vgprs: number; agprs?: number; eitherKind?: true; sgprs: number; lds: number } | null;
    /** The most registers for so many waves, from the most waves down to one. */
    ladder: { waves: number; vgprs: number; sgprs: number | null }[];
    clocks: number;
    best: number;
    worst: number;
    inverseThroughput: number;
    bound: string;
}

/** What the instructions of a line cost, as the server sends it: the members of `LineCosts` in their order. */
export type LineRow = [
    line: number,
    instructions: number,
    issue: number,
    stall: number,
    cause: number | null,
    vgprs: number,
    agprs: number,
    sgprs: number,
    peak: 0 | 1,
];

/** What the instructions of a line cost. */
export interface LineCosts {
    line: number;
    instructions: number;
    issue: number;
    stall: number;
    /** The line that the longest wait is for. */
    cause: number | null;
    vgprs: number;
    agprs: number;
    sgprs: number;
    /** Nowhere in the code more vector registers are needed. */
    peak: boolean;
}

/** What a shader or kernel costs. */
export interface CodeCosts {
    name: string;
    number: number;
    firstLine: number;
    lastLine: number;
    state: CompiledState;
    /** Its own chip first, then the others of the settings. */
    chips: ChipCosts[];
    lines: LineCosts[];
}

/** The same as the server sends it. */
export type SentCosts = Omit<CodeCosts, "lines"> & { lines: LineRow[] };

/** The costs of a shader or kernel with names for what its lines cost. */
export function named(sent: SentCosts): CodeCosts {
    const lines = sent.lines.map(([line, instructions, issue, stall, cause, vgprs, agprs, sgprs, peak]) => {
        return { line, instructions, issue, stall, cause, vgprs, agprs, sgprs, peak: peak === 1 };
    });
    return { ...sent, lines };
}

export const costsRequest = new RequestType<CostsParams, { codes: SentCosts[] } | null, void>("tungsten/costs");

/** Says that asking again for the costs of a document gives another answer. */
export const costsChanged = new NotificationType<CostsParams>("tungsten/costsChanged");

/** The macro call that the command of a code action names. */
export interface ExpandMacroReference {
    uri: string;
    position: Position;
}

export interface ExpandMacroParams {
    textDocument: TextDocumentIdentifier;
    position: Position;
}

export const expandMacroRequest = new RequestType<ExpandMacroParams, { text: string } | null, void>(
    "tungsten/expandMacro",
);

/** The place that the command of a code action names. */
export interface FindFasterFormReference {
    uri: string;
    position: Position;
}

export interface AdviseParams {
    textDocument: TextDocumentIdentifier;
    position: Position;
    seconds?: number;
    workDoneToken?: string;
}

/** What a search for a faster form came to. */
export interface Advice {
    status: "better" | "none" | "unproven" | "refused" | "failed";
    /** All of it in one sentence, without a capital and a full stop. */
    message: string;
    target: string;
    /** Whether all within reach was tried. */
    complete: boolean;
    /** The text of the shader or kernel; null where nothing was found. */
    preview: { before: string; after: string } | null;
    /** Of a shader. */
    machineCode: { before: string; after: string } | null;
    /** Null where it cannot be written into the document for certain. */
    edit: WorkspaceEdit | null;
}

export const adviseRequest = new RequestType<AdviseParams, Advice | null, void>("tungsten/advise");

/** The scheme of the two sides of what a search found. */
export const adviceScheme = "tungsten-advice";

/** What the server found on this machine, and what it does. */
export interface Status {
    version: string;
    /** The libLLVM in use; null while none is. */
    llvm: { path: string; version: string; origin: string } | null;
    ignored: string[];
    /** Whether libLLVM is still being looked for. */
    searching: boolean;
    /** The chips of the settings. */
    targets: string[];
    /** How many compiles run or wait. */
    compiling: number;
    /** Why nothing is compiled; null where it is. */
    message: string | null;
    /** What the open assembly files were taken for. */
    assembly: {
        uri: string;
        target: string;
        targetOrigin: "directive" | "includer" | "fileName" | "setting" | "instructions" | "default";
        dialect: "llvm" | "clrx";
        /** All of it with the reasons, in one line. */
        message: string;
    }[];
    /** What the open files with shaders are read as. */
    shaders: { uri: string; message: string }[];
}

export const statusRequest = new RequestType0<Status, void>("tungsten/status");

/** Says what `statusRequest` would answer now, after the start and whenever that is another. */
export const statusChanged = new NotificationType<Status>("tungsten/statusChanged");

/** Where compiled code comes from: the argument of the code lens's command. */
export interface CompiledCodeReference {
    uri: string;
    shader: number;
    target: string;
}

/**
 * Asks for the text of a virtual document. The client library knows it too, but
 * only for servers that register it, which they do when a client offers it.
 */
export const textDocumentContentRequest = new RequestType<{ uri: string }, { text: string }, void>(
    "workspace/textDocumentContent",
);

/** The scheme of the virtual documents that show files of bytes as text. */
export const decodedScheme = "tungsten-decoded";

/** An entry of the bundles of a file. */
export interface CodeObject {
    /** From 1. */
    number: number;
    /** Its name in the bundle; empty for a file that is none. */
    name: string;
    bytes: number;
    /** A phrase that says what it is. */
    kind: string;
    /** Whether it has a listing. */
    isRead: boolean;
}

/** Asks for the code objects of a file: a command that the server carries out. */
export const listCodeObjectsRequest = new RequestType<
    { command: "tungsten.listCodeObjects"; arguments: [string] },
    CodeObject[],
    void
>("workspace/executeCommand");

/** The scheme of the virtual documents that explain diagnostics and words. */
export const pageScheme = "tungsten-page";

/** What stands before a mnemonic in the name of the page that maps its matrices. */
export const matrixLayoutPage = "layout:";

/** The scheme of the virtual documents that show what macro calls expand to. */
export const expansionScheme = "tungsten-expansion";

/** The scheme of the virtual documents that show a shader in other ways than as machine code. */
export const viewScheme = "tungsten-view";

/** The scheme of the two sides of a comparison with code that was kept. */
export const baselineScheme = "tungsten-baseline";

/** The scheme of the virtual documents that show compiled code. */
export const compiledScheme = "tungsten-gcn";
