// Finds the server's program.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import * as path from "node:path";
import * as configuration from "./configuration";

const program = process.platform === "win32" ? "tungsten.exe" : "tungsten";

/** The server's program was not found; the message says where it was looked for. */
export class ServerMissing extends Error {}

async function isProgram(file: string): Promise<boolean> {
    try {
        await access(file, constants.X_OK);
        return (await stat(file)).isFile();
    } catch {
        return false;
    }
}

/**
 * The path of the server: the setting's, else the first on PATH, else the one
 * packaged with the extension. A setting that is wrong is not passed over in
 * silence: the user would run another server than they think.
 */
export async function findServer(extensionFolder: string): Promise<string> {
    const wished = configuration.serverPath();
    if (wished !== undefined) {
        if (await isProgram(wished)) {
            return wished;
        }
        throw new ServerMissing(`The setting tungsten.server.path names no program: ${wished}`);
    }
    const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
    const candidates = folders.map((folder) => path.join(folder, program));
    candidates.push(path.join(extensionFolder, "server", program));
    for (const candidate of candidates) {
        if (await isProgram(candidate)) {
            return candidate;
        }
    }
    throw new ServerMissing(
        "The Tungsten server was not found: neither on PATH nor within the extension. " +
            "Build it with “cargo build --release” and set tungsten.server.path to the program.",
    );
}
