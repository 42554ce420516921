// What can be seen in one editor of the page: its lines, and which of them are
// marked. Read from what is drawn, not from the extension's state.

const spaces = /\u00a0/g;

/** How long anything may take, in seconds. Only what fails takes as long: a busy machine fails nothing. */
export const patience = 120;

/** How long the effect of a key or a click is awaited before it is given again, in seconds. */
const turn = 5;

export class Editor {
    /**
     * @param {import("playwright-core").Page} page
     * @param {string} name a part of the file's name, as its tab shows it
     * @param {string} [ending] the end of that name, where a part is not enough
     */
    constructor(page, name, ending) {
        this.page = page;
        this.name = name;
        const end = ending === undefined ? "" : `[data-resource-name$="${ending}"]`;
        // The group whose active tab has that name.
        this.group = page.locator(".editor-group-container", {
            has: page.locator(`.tab.active[data-resource-name*="${name}"]${end}`),
        });
        this.root = this.group.locator(".monaco-editor").first();
    }

    /** A side of the difference view in sight: `original` or `modified`. */
    static ofDifference(page, side) {
        const editor = new Editor(page, side);
        editor.root = page.locator(`.monaco-diff-editor .editor.${side} .monaco-editor`).first();
        return editor;
    }

    get tab() {
        return this.group.locator(".tab.active");
    }

    /** The lines in sight, from top to bottom, with what is drawn behind them. */
    lines() {
        return this.root
            .evaluate((root) => {
                const backgrounds = new Map();
                for (const overlay of root.querySelectorAll(".view-overlays > div")) {
                    const drawn = [...overlay.querySelectorAll(".cdr")].map((mark) => ({
                        names: mark.className,
                        colour: getComputedStyle(mark).backgroundColor,
                        edge:
                            getComputedStyle(mark).borderLeftStyle === "none"
                                ? undefined
                                : getComputedStyle(mark).borderLeftColor,
                    }));
                    backgrounds.set(overlay.style.top, drawn);
                }
                return [...root.querySelectorAll(".view-lines > .view-line")]
                    .map((line) => ({
                        top: Number.parseFloat(line.style.top),
                        text: line.textContent,
                        faint: [...line.querySelectorAll("span span")].some(
                            (span) => Number(getComputedStyle(span).opacity) < 0.9,
                        ),
                        behind: backgrounds.get(line.style.top) ?? [],
                    }))
                    .sort((a, b) => a.top - b.top);
            })
            .then((lines) => lines.map((line) => ({ ...line, text: line.text.replace(spaces, " ") })));
    }

    async text() {
        return (await this.lines()).map((line) => line.text).join("\n");
    }

    /** The words above the lines, of what is in sight. */
    async lenses() {
        const lenses = await this.root.evaluate((root) => {
            const frame = root.getBoundingClientRect();
            return [...root.querySelectorAll(".codelens-decoration a")]
                .filter((lens) => {
                    const box = lens.getBoundingClientRect();
                    return box.top >= frame.top && box.bottom <= frame.bottom;
                })
                .map((lens) => lens.innerText);
        });
        return lenses.map((lens) => lens.replace(spaces, " ").trim());
    }

    /** Scrolls to what stands above the first line. */
    async scrollToTop() {
        const { x, y, width, height } = await this.root.boundingBox();
        await this.page.mouse.move(x + width / 2, y + height / 2);
        // A turn of the wheel moves some lines, however far it is said to go.
        const isAtTop = () =>
            this.root.evaluate((root) =>
                [...root.querySelectorAll(".line-numbers")].some((it) => it.textContent === "1"),
            );
        for (let turns = 0; turns < 500 && !(await isAtTop()); turns += 1) {
            await this.page.mouse.wheel(0, -1000);
        }
        await this.page.mouse.wheel(0, -1000);
    }

    /** The pictures beside the lines in sight. */
    heat() {
        return this.root.evaluate((root) =>
            [...root.querySelectorAll(".cgmr")]
                .map((mark) => getComputedStyle(mark).backgroundImage)
                .filter((image) => image.startsWith("url(")),
        );
    }

    /** The lines marked as belonging to the cursor's line of the other editor. */
    async linked(colour) {
        const lines = await this.lines();
        return lines.filter((line) => line.behind.some((mark) => mark.colour.startsWith(colour)));
    }

    /** The colours at the left edge of the lines that hold a text. */
    async edges(text) {
        const lines = (await this.lines()).filter((line) => line.text.includes(text));
        return lines.flatMap((line) => line.behind.flatMap((mark) => mark.edge ?? []));
    }

    /** The colours in the scroll bar, each as numbers of red, green and blue. */
    rulerColours() {
        return this.root.locator("canvas.decorationsOverviewRuler").evaluate((canvas) => {
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const colours = new Set();
            for (let at = 0; at < data.length; at += 4) {
                if (data[at + 3] > 200) {
                    colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
                }
            }
            return [...colours];
        });
    }

    /** Clicks into the first line that holds a text and is wholly in sight. Lines move where a lens appears above them. */
    clickLine(text) {
        const find = () =>
            this.root.evaluate((root, wanted) => {
                const frame = root.getBoundingClientRect();
                const plain = (line) => line.textContent.replaceAll("\u00a0", " ");
                const cursor = root.querySelector(".cursors-layer > .cursor")?.style.top;
                return [...root.querySelectorAll(".view-lines > .view-line")]
                    .filter((line) => plain(line).includes(wanted))
                    .map((line) => ({ box: line.getBoundingClientRect(), hasCursor: line.style.top === cursor }))
                    .filter(({ box }) => box.top > frame.top + 4 && box.bottom < frame.bottom)
                    .map(({ box, hasCursor }) => ({ x: box.left + 60, y: box.top + 8, hasCursor }))[0];
            }, text);
        return repeatedly(
            `the cursor in the line of ${text}`,
            async () => {
                const place = await eventually(`a line in sight with ${text}`, find, (found) => found !== undefined);
                await this.page.mouse.click(place.x, place.y);
            },
            find,
            (found) => found?.hasCursor === true,
        );
    }

    /** The mark beside a line that folds what stands below it, or opens it again. */
    foldMark(text) {
        return this.root
            .evaluateHandle((root, wanted) => {
                const line = [...root.querySelectorAll(".view-lines > .view-line")].find((it) =>
                    it.textContent.includes(wanted),
                );
                const beside = [...root.querySelectorAll(".margin-view-overlays > div")];
                const own = beside.find((it) => it.style.top === line?.style.top);
                return own?.querySelector(".codicon-folding-expanded, .codicon-folding-collapsed");
            }, text)
            .then((handle) => handle.asElement());
    }

    word(line, word) {
        return this.root
            .locator(".view-line", { hasText: line })
            .first()
            .locator("span span", { hasText: word })
            .first();
    }
}

/**
 * Hovers over something until what is said of it satisfies a condition. Lines move under
 * the pointer where a lens appears above them, which takes the hover away again.
 */
export function hovered(page, what, thing, accept) {
    const hover = page.locator(".monaco-hover:visible");
    const again = async () => {
        await page.mouse.move(1, 1);
        await thing.hover();
    };
    return repeatedly(what, again, () => hover.allInnerTexts(), accept);
}

/**
 * Does something until its effect is seen. What is pressed or clicked while the editor is
 * busy or moves its focus may be lost: a user would do it again.
 */
export async function repeatedly(what, act, look, accept) {
    const deadline = Date.now() + patience * 1000;
    for (;;) {
        try {
            await act();
            return await eventually(what, look, accept, turn);
        } catch (error) {
            if (Date.now() > deadline) {
                throw error;
            }
        }
    }
}

/** What is seen once it stays the same for a moment: drawing goes on after the first of it. */
export function settled(what, look) {
    let before;
    let since = 0;
    const isCalm = (seen) => {
        const now = JSON.stringify(seen);
        since = now === before ? since : Date.now();
        before = now;
        return Date.now() - since > 500;
    };
    return eventually(what, look, isCalm);
}

/** Waits until something seen satisfies a condition; fails with what was seen instead. */
export async function eventually(what, look, accept, seconds = patience) {
    const deadline = Date.now() + seconds * 1000;
    const sights = [];
    for (;;) {
        try {
            const seen = await look();
            if (accept(seen)) {
                return seen;
            }
            sights.push(JSON.stringify(seen)?.slice(0, 600));
        } catch (error) {
            // The page redraws under our eyes; the next look sees it whole.
            sights.push(error.message);
        }
        if (Date.now() > deadline) {
            const different = sights.filter((sight, index) => sight !== sights[index - 1]);
            throw new Error(`not within ${seconds} s: ${what}; seen instead:\n${different.slice(-6).join("\n")}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 40));
    }
}
