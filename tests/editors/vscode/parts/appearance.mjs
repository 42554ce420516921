// Light, dark and high-contrast themes: what is drawn can be told from its ground.
import { eventually } from "../editor.mjs";
import { panelFrame } from "./panel.mjs";

const themes = [
    ["Light Modern", "light"],
    ["Default High Contrast", "high-contrast"],
    ["Default High Contrast Light", "high-contrast-light"],
    ["Dark Modern", "dark"],
];

/** How light a colour is to the eye, from 0 to 1, as WCAG reckons. */
function luminance([red, green, blue]) {
    const [r, g, b] = [red, green, blue].map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
}

/** A colour as a browser says it; without colour it is transparent black. */
const numbers = (colour) => colour.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];

/** A colour with its transparency, over a ground. */
function over([red, green, blue, opacity = 1], ground) {
    return [red, green, blue].map((value, at) => value * opacity + ground[at] * (1 - opacity));
}

export async function appearance(stage) {
    const { page, step, texture } = stage;
    const code = stage.view("polaris10", "gcn");
    let source;

    await step("every theme shows the link, and text upon it can be read", async () => {
        // Room for the panel below lines that stay in sight.
        const size = page.viewportSize();
        await page.setViewportSize({ ...size, height: 1400 });
        source = await stage.open("appearance.tgsi");
        await stage.figures(source);
        await source.clickLine(texture);
        await stage.runCommand("Tungsten: Open Compiled Code");
        await eventually(
            "code",
            () => code.text(),
            (text) => text.includes("image_sample"),
        );
        await stage.runCommand("Tungsten: Show Pressure and Stalls");
        const groundNow = () =>
            code.root
                .locator(".monaco-editor-background")
                .first()
                .evaluate((it) => getComputedStyle(it).backgroundColor);
        let before = await groundNow();
        for (const [theme, name] of themes) {
            await stage.useSettings({ "workbench.colorTheme": theme });
            const ground = await eventually(`the ground of ${theme}`, groundNow, (colour) => colour !== before);
            before = ground;
            const look = async () => {
                const isFetch = ({ text, behind }) =>
                    text.includes("image_sample") && behind.some(({ names }) => names.includes("ced-"));
                const line = (await code.lines()).find(isFetch);
                const marks = line.behind
                    .map(({ colour }) => numbers(colour))
                    .filter(([, , , opacity = 1]) => opacity > 0);
                const words = await code
                    .word("image_sample", "image_sample")
                    .evaluate((it) => getComputedStyle(it).color);
                return { marked: over(marks.at(-1), numbers(ground)), words: numbers(words) };
            };
            const isSeen = ({ marked, words }) =>
                contrast(marked, numbers(ground)) > 1.1 && contrast(marked, words) > 3;
            await eventually(
                `the mark of the fetch is seen and its words are read in ${theme}, on ${ground}`,
                look,
                isSeen,
            );
            const here = () =>
                panelFrame(page).then((frame) =>
                    frame
                        .locator(".ladder td.here")
                        .first()
                        .evaluate((cell) => {
                            const { color, backgroundColor } = getComputedStyle(cell);
                            return [color, backgroundColor, getComputedStyle(document.body).backgroundColor];
                        }),
                );
            const isRead = ([color, background, page]) =>
                contrast(numbers(color), over(numbers(background), numbers(page))) > 3;
            await eventually(`the chip's step in the panel is read in ${theme}`, here, isRead);
            await stage.picture(`theme-${name}`);
        }
        await page.setViewportSize(size);
    });
}
