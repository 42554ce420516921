// Opens the compiled code of an earlier window again. The editor restores the
// tabs of files by itself; those of virtual documents it forgets.

import * as vscode from "vscode";
import { compiledScheme, viewScheme } from "../protocol";
import type { CompiledCommands } from "./commands";
import { parseView } from "./view";

/** Under which name the workspace remembers the tabs. */
const key = "compiledTabs";

/** A tab that shows compiled code. */
interface RememberedTab {
    uri: string;
    column: number;
    /** Whether it was the one in sight of its group. */
    isActive: boolean;
}

/** Remembers which compiled code is open, and opens it again in a new window. */
export class CompiledTabs implements vscode.Disposable {
    readonly #subscriptions: vscode.Disposable[] = [];

    constructor(
        private readonly memory: vscode.Memento,
        private readonly commands: CompiledCommands,
    ) {}

    /** Whether any compiled code was open in the window before. */
    get areRemembered(): boolean {
        return this.memory.get<RememberedTab[]>(key, []).length > 0;
    }

    /** To be called once the server can be asked; remembers from then on. */
    async restore(): Promise<void> {
        const open = new Set(currentTabs().map(({ uri }) => uri));
        const wanted = this.memory.get<RememberedTab[]>(key, []).filter(({ uri }) => !open.has(uri));
        // Those in sight once more at the end, since what is opened comes to the front.
        for (const { uri, column } of [...wanted, ...wanted.filter(({ isActive }) => isActive)]) {
            const named = parseView(vscode.Uri.parse(uri, true));
            try {
                if (named !== undefined) {
                    await vscode.workspace.openTextDocument(named.source);
                    await this.commands.show(named.source, named.wish, column);
                }
            } catch {
                // The file is gone, and with it what it was compiled to.
            }
        }
        this.#subscriptions.push(
            vscode.window.tabGroups.onDidChangeTabs(() => this.#remember()),
            vscode.window.tabGroups.onDidChangeTabGroups(() => this.#remember()),
        );
        this.#remember();
    }

    dispose(): void {
        this.#subscriptions.forEach((subscription) => subscription.dispose());
    }

    #remember(): void {
        void this.memory.update(key, currentTabs());
    }
}

function currentTabs(): RememberedTab[] {
    return vscode.window.tabGroups.all.flatMap((group) =>
        group.tabs.flatMap(({ input, isActive }) =>
            input instanceof vscode.TabInputText && [compiledScheme, viewScheme].includes(input.uri.scheme)
                ? [{ uri: input.uri.toString(), column: group.viewColumn, isActive }]
                : [],
        ),
    );
}
