// A window that is loaded again shows what it showed before.
import { eventually } from "../editor.mjs";
import { holds, machineCode } from "../stage.mjs";
import { panelFrame } from "./panel.mjs";

export async function window(stage) {
    const { page, step, linkedColour } = stage;
    const first = stage.instruction("DP3");
    let source;
    const code = stage.view("polaris10", "gcn");
    const tabs = () => page.locator(".tab").evaluateAll((all) => all.map((tab) => tab.dataset.resourceName));

    await step(
        "compiled code, its other views and the panel are there again after the window was loaded again",
        async () => {
            source = await stage.open("window.tgsi");
            await stage.figures(source);
            await source.clickLine(first);
            await stage.runCommand("Tungsten: Open Compiled Code");
            await eventually(
                "code",
                () => code.text(),
                (text) => text.includes("image_sample"),
            );
            await stage.runCommand("Tungsten: Show the LLVM IR");
            await eventually(
                "IR",
                () => stage.view("polaris10", "ll").text(),
                (text) => /%v\d+ = /.test(text),
            );
            await source.clickLine(first);
            await stage.runCommand("Tungsten: Open Compiled Code");
            await eventually(
                "code in front",
                () => code.text(),
                (text) => text.includes("image_sample"),
            );
            await stage.runCommand("Tungsten: Show Pressure and Stalls");
            await eventually(
                "the panel",
                () => panelFrame(page),
                () => true,
            );
            const before = ["window.tgsi", "polaris10.window.tgsi.0.gcn", "polaris10.window.tgsi.0.ll"];
            await eventually("their tabs", tabs, (now) => now.join() === before.join());

            const reloaded = page.waitForEvent("load");
            await stage.runCommand("Developer: Reload Window");
            await reloaded;
            await page.waitForSelector(".monaco-workbench");
            await eventually("the tabs again", tabs, (now) => now.join() === before.join());
            await eventually(
                "the code in sight",
                () => code.text(),
                (text) => machineCode.test(text),
            );
            await eventually(
                "two groups",
                () => stage.groups(),
                (count) => count === 2,
            );
            await source.clickLine(first);
            await eventually(
                "the link",
                () => code.linked(linkedColour),
                (lines) => holds(lines, `; ${first}`),
            );
            const titles = async () => (await panelFrame(page)).locator("h2").allInnerTexts();
            await eventually("the panel", titles, (all) => all.length === 3 && all[0].includes("window.tgsi"));
        },
    );

    await step("what is shown again is alive", async () => {
        await page.keyboard.press("Control+j");
        await stage.writeCosine(source);
        await code.root.click({ position: { x: 300, y: 100 } });
        await page.keyboard.press("Control+End");
        await eventually(
            "a cosine",
            () => code.text(),
            (text) => text.includes("v_cos_f32"),
        );
    });
}
