// Compiled code with several blocks: each folds for itself.
import assert from "node:assert/strict";
import { eventually, repeatedly } from "../editor.mjs";
import { machineCode } from "../stage.mjs";

export async function folding(stage) {
    const { step } = stage;
    const code = stage.view("polaris10", "gcn");

    await step("blocks of compiled code fold, one by one", async () => {
        await stage.figures(await stage.open("branches.tgsi"));
        await stage.runCommand("Tungsten: Open Compiled Code");
        await eventually(
            "a block",
            () => code.text(),
            (text) => /^\.?L?BB\d+_\d+:/m.test(text),
        );
        const label = (await code.text()).match(/^(\S*BB\d+_\d+):/m)[1];
        const linesBelow = async () => {
            const lines = (await code.text()).split("\n");
            return lines.slice(lines.findIndex((line) => line.includes(`${label}:`)) + 1);
        };
        const [first] = await linesBelow();
        /** Clicks the mark, unless an earlier click had its effect by now. */
        const fold = (what, isDone) => {
            const click = async () => {
                const mark = await eventually(
                    "its mark",
                    () => code.foldMark(`${label}:`),
                    (found) => found !== null,
                );
                if (!isDone(await linesBelow())) {
                    await mark.click({ force: true });
                }
            };
            return repeatedly(what, click, linesBelow, isDone);
        };
        await fold("it is folded", ([below]) => below !== first);
        assert.match(await code.text(), machineCode, "the other blocks stay open");
        await fold("it is open", ([below]) => below === first);
    });
}
