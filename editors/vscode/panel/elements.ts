// Makes elements of the page. Texts become text nodes, never markup.

type Attributes = Record<string, string | number>;

function fill<Made extends Element>(made: Made, attributes: Attributes, children: (Element | string)[]): Made {
    for (const [name, value] of Object.entries(attributes)) {
        made.setAttribute(name, String(value));
    }
    made.append(...children);
    return made;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Attributes = {},
    ...children: (Element | string)[]
): HTMLElementTagNameMap[Name] {
    return fill(document.createElement(name), attributes, children);
}

export function drawing<Name extends keyof SVGElementTagNameMap>(
    name: Name,
    attributes: Attributes = {},
    ...children: (Element | string)[]
): SVGElementTagNameMap[Name] {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** A button that looks like a link, for jumps. */
export function jump(words: string, open: () => void): HTMLButtonElement {
    const button = element("button", { class: "jump", type: "button", title: words }, words);
    button.addEventListener("click", open);
    return button;
}
