// Elements of the page, made of text alone: nothing of a shader is ever read as HTML.

/** Makes an element with properties and children. */
export function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

/** Makes a table of rows of cells. */
export function table(head, rows) {
    const row = (cells, kind, properties = {}) =>
        element("tr", properties, ...cells.map((cell) => element(kind, {}, cell)));
    const body = rows.map(({ cells, className = "" }) => row(cells, "td", { className }));
    return element("table", {}, element("thead", {}, row(head, "th")), element("tbody", {}, ...body));
}

/** Spans of code, bold and plain words. */
function inline(text) {
    const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
    return parts.filter(Boolean).map((part) => {
        if (part.startsWith("`")) return element("code", {}, part.slice(1, -1));
        if (part.startsWith("**")) return element("strong", {}, part.slice(2, -2));
        return part.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/(^|\s)\*([^*]+)\*/g, "$1$2");
    });
}

/** The little Markdown of hovers: code, tables as text, lists, paragraphs. */
export function markdown(text) {
    const made = [];
    const lines = text.split("\n");
    for (let at = 0; at < lines.length; at++) {
        const line = lines[at];
        if (line.startsWith("```")) {
            const end = lines.findIndex((other, place) => place > at && other.startsWith("```"));
            const last = end < 0 ? lines.length : end;
            made.push(element("pre", {}, lines.slice(at + 1, last).join("\n")));
            at = last;
        } else if (/^\|[\s|:-]+\|$/.test(line) || !line.trim()) {
            // The rule below a table's head, and blanks between paragraphs.
        } else if (line === "---") {
            made.push(element("hr"));
        } else if (line.startsWith("|")) {
            const cells = line.split("|").slice(1, -1);
            made.push(element("div", {}, ...inline(cells.map((cell) => cell.trim()).join("   "))));
        } else {
            made.push(element("p", {}, ...inline(line.replace(/^#+ /, "").replace(/^- /, "• "))));
        }
    }
    return made;
}
