// Judges recordings of `tee.py` of a debug adapter: exit status 1 if a message does not have
// the shape that the protocol's own types say, or a request has no answer of its own.
//
//   debug_messages.mjs EXTENSION RECORD…
//
// EXTENSION is the folder of the extension, whose packages have the compiler of TypeScript and
// the types. Each message becomes a constant of its type, so that the compiler names what is
// missing, wrong or unknown. Requests of our own have no type there.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

const [extension, ...records] = process.argv.slice(2);
if (records.length === 0) {
    console.error("debug_messages.mjs: nothing was recorded");
    process.exit(1);
}
const own = /^tungsten\//;
const capital = (word) => word[0].toUpperCase() + word.slice(1);
/**
 * What requests may have beyond their type. What a launch takes is the adapter's own affair, and a
 * restart repeats it; nvim-dap names its granularity with every move.
 */
const additions = {
    launch: " & { arguments?: Record<string, unknown> }",
    restart: " & { arguments?: { arguments?: Record<string, unknown> } }",
    continue: " & { arguments: { granularity?: DebugProtocol.SteppingGranularity } }",
    reverseContinue: " & { arguments: { granularity?: DebugProtocol.SteppingGranularity } }",
};
const faults = [];
const kinds = new Map();
const lines = [];

function typeOf(message) {
    switch (message.type) {
        case "event":
            return `${capital(message.event)}Event`;
        case "request":
            return `${capital(message.command)}Request`;
        default:
            return message.success ? `${capital(message.command)}Response` : "ErrorResponse";
    }
}

for (const record of records) {
    const waiting = new Map();
    let last = 0;
    let isOpen = false;
    let isLeaving = false;
    const entries = readFileSync(record, "utf8").split("\n").filter(Boolean);
    for (const entry of entries.map((line) => JSON.parse(line))) {
        const { message } = entry;
        if (message === undefined) {
            faults.push(`${record}: no message: ${JSON.stringify(entry)}`);
            continue;
        }
        if (entry.from === "client" && message.type === "request") {
            // Who ends a session, and who asks after that, may go without an answer.
            isLeaving ||= message.command === "disconnect" || message.command === "terminate";
            waiting.set(message.seq, { command: message.command, isOwed: !isLeaving });
        }
        if (entry.from === "server") {
            if (message.seq !== last + 1) {
                faults.push(`${record}: message ${message.seq} follows ${last}`);
            }
            last = message.seq;
        }
        if (message.type === "response" && waiting.get(message.request_seq)?.command !== message.command) {
            faults.push(`${record}: an answer that nobody asked for: ${JSON.stringify(message)}`);
        }
        if (message.type === "response") {
            waiting.delete(message.request_seq);
            isOpen ||= message.command === "initialize";
        }
        if (message.type === "event" && !isOpen) {
            faults.push(`${record}: an event before the session is initialized`);
        }
        if (!own.test(message.command ?? "")) {
            const type = typeOf(message);
            kinds.set(type, (kinds.get(type) ?? 0) + 1);
            const more = additions[message.type === "request" ? message.command : ""] ?? "";
            lines.push(`export const m${lines.length}: DebugProtocol.${type}${more} = ${JSON.stringify(message)};`);
        }
    }
    for (const { command, isOwed } of waiting.values()) {
        if (isOwed) {
            faults.push(`${record}: ${command} has no answer`);
        }
    }
}

const folder = mkdtempSync(path.join(tmpdir(), "tungsten-dap-"));
try {
    const types = path.resolve(extension, "node_modules/@vscode/debugprotocol/lib/debugProtocol");
    const file = path.join(folder, "messages.ts");
    writeFileSync(file, `import type { DebugProtocol } from ${JSON.stringify(types)};\n${lines.join("\n")}\n`);
    const compiler = path.resolve(extension, "node_modules/.bin/tsc");
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler"];
    execFileSync(compiler, [...flags, file], { encoding: "utf8", stdio: "pipe" });
} catch (error) {
    const said = String(error.stdout ?? error)
        .split("\n")
        .filter(Boolean);
    for (const fault of said.slice(0, 20)) {
        const line = Number(fault.match(/messages\.ts\((\d+)/)?.[1]) - 2;
        faults.push(`${fault}\n    ${(lines[line] ?? "").slice(0, 300)}`);
    }
} finally {
    rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults) {
    console.log(fault);
}
console.log(`debugger: ${lines.length} messages of ${kinds.size} kinds, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
