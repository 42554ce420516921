// Where a value comes from: the steps that made it, as a tree beside the call stack. A click on
// one goes to its moment.

import * as vscode from "vscode";

/** A value with the numbers of those that it was made from. */
interface Origin {
    name: string;
    value: string;
    isKnown: boolean;
    lane?: number;
    position?: number;
    line?: number;
    text?: string;
    sources: number[];
}

interface Origins {
    values: Origin[];
    roots: number[];
}

/** A row of the tree: a value that serves several others has several. */
interface Row {
    origin: Origin;
    of: Origins;
    depth: number;
}

/** What the variables view hands to its commands. */
interface ChosenVariable {
    variable?: { evaluateName?: string; name: string };
}

/** How deep rows are open at first. The way to a NaN is shown to its end. */
const openDepth = { everything: 3, nan: 50 };

export class OriginsView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
    readonly #changed = new vscode.EventEmitter<undefined>();
    readonly onDidChangeTreeData = this.#changed.event;
    readonly #view = vscode.window.createTreeView("tungsten.origins", { treeDataProvider: this });
    #origins: Origins | undefined;
    #follow: keyof typeof openDepth = "everything";
    readonly #subscriptions = [
        vscode.commands.registerCommand("tungsten.whyThisValue", (chosen) => this.#ask("everything", chosen)),
        vscode.commands.registerCommand("tungsten.whereNanComesFrom", (chosen) => this.#ask("nan", chosen)),
        vscode.commands.registerCommand("tungsten.goToMoment", goToMoment),
        vscode.debug.onDidTerminateDebugSession(() => this.#show(undefined, "")),
    ];

    dispose(): void {
        vscode.Disposable.from(...this.#subscriptions, this.#view, this.#changed).dispose();
    }

    getChildren(row?: Row): Row[] {
        const of = row?.of ?? this.#origins;
        if (of === undefined) {
            return [];
        }
        const depth = row === undefined ? 0 : row.depth + 1;
        const numbers = row?.origin.sources ?? of.roots;
        return numbers.flatMap((number) => {
            const origin = of.values[number];
            return origin === undefined ? [] : [{ origin, of, depth }];
        });
    }

    getTreeItem({ origin, depth }: Row): vscode.TreeItem {
        const state =
            origin.sources.length === 0
                ? vscode.TreeItemCollapsibleState.None
                : depth < openDepth[this.#follow]
                  ? vscode.TreeItemCollapsibleState.Expanded
                  : vscode.TreeItemCollapsibleState.Collapsed;
        const item = new vscode.TreeItem(`${origin.name} = ${origin.value}`, state);
        if (origin.position === undefined) {
            item.description = origin.isKnown ? "from the beginning" : "";
            return item;
        }
        const text = origin.text ?? "";
        item.description = origin.line === undefined ? text : `line ${origin.line}: ${text}`;
        item.tooltip = `Step ${origin.position}${origin.lane === undefined ? "" : `, lane ${origin.lane}`}. Click to go there.`;
        item.command = { command: "tungsten.goToMoment", title: "Go There", arguments: [origin.position] };
        return item;
    }

    #show(origins: Origins | undefined, message: string): void {
        this.#origins = origins;
        this.#view.message = message;
        this.#changed.fire(undefined);
    }

    async #ask(follow: keyof typeof openDepth, chosen?: ChosenVariable): Promise<void> {
        const session = vscode.debug.activeDebugSession;
        const frame = vscode.debug.activeStackItem;
        if (session?.type !== "tungsten") {
            void vscode.window.showInformationMessage("Debug a shader or kernel, and stop it, to ask that.");
            return;
        }
        const expression =
            expressionOf(chosen) ?? (await vscode.window.showInputBox({ prompt: "A register", value: "OUT[0].x" }));
        if (expression === undefined) {
            return;
        }
        const frameId = frame instanceof vscode.DebugStackFrame ? frame.frameId : undefined;
        // Shown first: a view that opens asks for its rows, which must not change meanwhile.
        await vscode.commands.executeCommand("tungsten.origins.focus");
        try {
            const origins = await session.customRequest("tungsten/origins", { expression, follow, frameId });
            this.#follow = follow;
            this.#show(origins, "");
        } catch (error) {
            this.#show(undefined, error instanceof Error ? error.message : String(error));
        }
    }
}

/** The register that a variable is, or that stands under the cursor. */
function expressionOf(chosen?: ChosenVariable): string | undefined {
    if (chosen?.variable !== undefined) {
        return chosen.variable.evaluateName ?? chosen.variable.name;
    }
    const editor = vscode.window.activeTextEditor;
    const range = editor && registerAt(editor.document, editor.selection.active);
    return range && editor.document.getText(range);
}

/** A register with its brackets and component, which words do not have. */
export function registerAt(document: vscode.TextDocument, position: vscode.Position): vscode.Range | undefined {
    const register = /[A-Za-z_]\w*(\[[^\]]*\]){0,2}(\.[xyzw]{1,4})?/;
    return document.getWordRangeAtPosition(position, register);
}

async function goToMoment(position: number): Promise<void> {
    await vscode.debug.activeDebugSession?.customRequest("tungsten/goTo", { position });
}
