// Starts VS Code's own server with the packaged extension, and a browser that
// shows it. Everything lives in one folder and ends with `stop`.
import { spawn, spawnSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import * as path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { patience } from "./editor.mjs";

const userSettings = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.tips.enabled": false,
    "security.workspace.trust.enabled": false,
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": false,
    "extensions.autoCheckUpdates": false,
    "extensions.ignoreRecommendations": true,
    "update.mode": "none",
    "chat.disableAIFeatures": true,
    "editor.minimap.enabled": false,
    // It covers lines that the test clicks.
    "editor.stickyScroll.enabled": false,
    "editor.fontFamily": "DejaVu Sans Mono",
    "files.autoSave": "off",
    "window.commandCenter": false,
};

const browserFlags = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

function freePort() {
    return new Promise((resolve, reject) => {
        const probe = createServer();
        probe.once("error", reject);
        probe.listen(0, "127.0.0.1", () => {
            const { port } = probe.address();
            probe.close(() => resolve(port));
        });
    });
}

/**
 * @param {{ tools: string, folder: string, extension: string }} places the
 *     installed tools, a folder to work in (emptied first), the .vsix
 */
export async function startWorkbench({ tools, folder, extension }) {
    await rm(folder, { recursive: true, force: true });
    const user = path.join(folder, "user");
    await mkdir(path.join(user, "User"), { recursive: true });
    await writeFile(path.join(user, "User", "settings.json"), JSON.stringify(userSettings, null, 2));

    const program = path.join(tools, "vscode/node_modules/code-server/lib/vscode/out/server-main.js");
    const places = [
        ["--extensions-dir", path.join(folder, "extensions")],
        ["--server-data-dir", path.join(folder, "server")],
        ["--user-data-dir", user],
    ].flat();
    // Without a gallery nothing outside this machine is asked for extensions.
    const environment = { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
    const installed = spawnSync(
        process.execPath,
        [program, "--install-extension", extension, "--accept-server-license-terms", ...places],
        { env: environment, encoding: "utf8", timeout: patience * 1000 },
    );
    if (installed.status !== 0 || !/successfully installed/.test(installed.stdout)) {
        throw new Error(`the extension was not installed:\n${installed.stdout}\n${installed.stderr.slice(-2000)}`);
    }

    const port = await freePort();
    const log = createWriteStream(path.join(folder, "vscode.log"));
    const server = spawn(
        process.execPath,
        [
            program,
            ...["--host", "127.0.0.1", "--port", String(port)],
            ...["--without-connection-token", "--accept-server-license-terms"],
            ...["--telemetry-level", "off"],
            ...places,
        ],
        // A group of its own, so that the extension host ends with it.
        { env: environment, stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
    server.stdout.pipe(log);
    server.stderr.pipe(log);
    await answers(`http://127.0.0.1:${port}/version`, server);

    const { chromium } = createRequire(path.join(tools, "vscode/package.json"))("playwright-core");
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        headless: true,
        args: browserFlags,
    });
    const page = await browser.newPage({ viewport: { width: 1500, height: 960 } });
    page.setDefaultTimeout(patience * 1000);
    const outside = new Set();
    // The names that a panel's own files have; a worker of the editor in the page answers for them.
    const ownFiles = ".vscode-resource.vscode-cdn.net";
    page.on("request", (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol.startsWith("http") && hostname !== "127.0.0.1" && !hostname.endsWith(ownFiles)) {
            outside.add(hostname);
        }
    });
    const said = [];
    const times = new Map();
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) {
            said.push(`page: ${message.text()}`);
            times.set(said.at(-1), new Date().toISOString());
        }
    });
    page.on("pageerror", (error) => said.push(`page: ${error.stack}`));
    return {
        page,
        /** Where the user's settings for this machine are: no workspace can write them. */
        machineSettings: path.join(user, "Machine", "settings.json"),
        /** Errors and warnings of the page, the extension host, the editor's server and the extension's own log. */
        complaints: async () => {
            const ofPage = said.filter((text) => !isForeign(text)).map((text) => `${times.get(text) ?? ""} ${text}`);
            return [...ofPage, ...(await complaintsOfLogs(folder))];
        },
        /** The processes of the language server that the editor runs, by their id. */
        languageServers: () =>
            descendants(server.pid, ({ program, words }) => program === "tungsten" && words.includes("lsp")),
        /** The processes of debug adapters that the editor runs, by their id. */
        debugAdapters: () =>
            descendants(server.pid, ({ program, words }) => program === "tungsten" && words.includes("dap")),
        /** The hosts that the page asked for beside this machine. */
        outside,
        open: (workspace) => page.goto(`http://127.0.0.1:${port}/?folder=${encodeURI(workspace)}`),
        async stop() {
            await browser.close();
            try {
                process.kill(-server.pid, "SIGTERM");
            } catch {
                // It has ended already.
            }
        },
    };
}

/** Entries of the editor's logs that tell of an error or a warning of ours, each with its file. */
async function complaintsOfLogs(folder) {
    const found = [];
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (entry.isFile() && entry.name.endsWith(".log")) {
            const log = await readFile(path.join(entry.parentPath, entry.name), "utf8");
            // An entry with what stands below it: where an error came from.
            const entries = log.split(/\n(?=\d{4}-\d\d-\d\d )/);
            const isOurs = ([first]) => /\[(error|warning)\]/i.test(first) && !isForeign(`${entry.name}: ${first}`);
            found.push(...entries.filter((it) => isOurs(it.split("\n", 1))).map((it) => `${entry.name}: ${it}`));
        }
    }
    return found;
}

/** Complaints that an editor without an extension has as well. */
const foreign = [
    // Files that are not part of the editor's package.
    /^page: Failed to load resource: .*404/,
    /^page: A bad HTTP response code \(404\)/,
    /ServiceWorker/,
    /sandbox attribute can escape its sandboxing/,
    /web worker extension host is started in a same-origin iframe/,
    /No search provider registered for scheme: vscode-remote/,
    /Timed out waiting for authentication provider/,
    /Creation of workbench contribution .* took/,
    /languagedetection/,
    /Canvas2D: Multiple readback operations/,
    // Native parts of the editor that were not built on this machine.
    /spdlog|watchdog/,
    // A file is saved while the machine is busy.
    /Aborted onWillSaveTextDocument-event/,
    // The program that the run names, and the server that it kills.
    /no-such-program/,
    /Tungsten\.log: .*Server process exited with (code 247|signal SIGKILL)/,
    // The page itself, busy: what an extension does wrong has words, also in the log of its host.
    /An unknown error occurred\. Please consult the log for more details\.$/,
    // A window that is loaded again.
    /Long running operations during shutdown/,
    /provider FAILED$/,
    /Error: Channel has been closed$/,
    // The editor's own process wrote to a window or a server that had just gone.
    /^remoteagent\.log: .*Error: Unexpected SIGPIPE$/,
    // A hint or a completion is asked for its details while the editor lets go of its list.
    /Error: DisposableStore is missing/,
    // The debugger's view asks for variables that it drew before the run went on.
    /^page: these variables are of a moment that has passed$/,
    // What is drawn in an editor while the user closes it.
    /Illegal argument: TextEditor\(/,
];

function isForeign(line) {
    return foreign.some((pattern) => pattern.test(line));
}

/** The processes below one whose program and arguments satisfy a condition, by their id. */
async function descendants(root, accept) {
    const parents = new Map();
    const running = [];
    for (const id of (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number)) {
        try {
            const stat = await readFile(`/proc/${id}/stat`, "latin1");
            parents.set(id, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
            const words = (await readFile(`/proc/${id}/cmdline`, "utf8")).split("\0");
            running.push({ id, words, program: path.basename(await readlink(`/proc/${id}/exe`)) });
        } catch {
            // It ended while it was looked at.
        }
    }
    const isBelow = (id) => id === root || (parents.has(id) && isBelow(parents.get(id)));
    return running.filter((it) => isBelow(it.id) && accept(it)).map(({ id }) => id);
}

async function answers(address, server) {
    const deadline = Date.now() + patience * 1000;
    while (Date.now() < deadline) {
        if (server.exitCode !== null) {
            throw new Error(`VS Code's server ended with status ${server.exitCode}`);
        }
        const answer = await fetch(address).catch(() => undefined);
        if (answer?.ok) {
            return;
        }
        await pause(50);
    }
    throw new Error("VS Code's server did not answer");
}
