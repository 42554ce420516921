// The search over names, the menu of narrow windows, and the theme.
const root = document.currentScript.dataset.root;
const MOST_RESULTS = 12;

function setUpTheme() {
    const button = document.getElementById("theme");
    const isDark = () => {
        const chosen = document.documentElement.dataset.theme;
        return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    };
    const label = () => {
        button.textContent = isDark() ? "Light" : "Dark";
        button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
    };
    button.addEventListener("click", () => {
        const next = isDark() ? "light" : "dark";
        document.documentElement.dataset.theme = next;
        try {
            localStorage.setItem("theme", next);
        } catch {
            // The choice then lasts as long as the page.
        }
        label();
    });
    label();
}

function setUpMenu() {
    const button = document.getElementById("menu-button");
    const toggle = (open) => {
        document.body.classList.toggle("menu-open", open);
        button.setAttribute("aria-expanded", String(open));
    };
    button.addEventListener("click", () => toggle(!document.body.classList.contains("menu-open")));
    document.addEventListener("keydown", (event) => event.key === "Escape" && toggle(false));
}

// Lower numbers come first; undefined where a page does not fit.
function rank(page, words) {
    const names = page[0].toLowerCase();
    const first = names.split(" ")[0];
    const whole = words.join(" ");
    if (names === whole || first === whole) return 0;
    if (names.split(" ").includes(whole)) return 1;
    if (names.startsWith(whole)) return 2;
    const text = `${names} ${page[1].toLowerCase()}`;
    if (words.every((word) => text.includes(word))) return 3;
    const summary = `${text} ${page[3].toLowerCase()}`;
    return words.every((word) => summary.includes(word)) ? 4 : undefined;
}

function find(query) {
    const words = query.toLowerCase().trim().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const found = [];
    for (const page of window.tungstenPages ?? []) {
        const place = rank(page, words);
        if (place !== undefined) found.push([place, page[0].length, page]);
    }
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return found.slice(0, MOST_RESULTS).map((row) => row[2]);
}

function setUpSearch() {
    const input = document.getElementById("search");
    const list = document.getElementById("results");
    let loading = null;
    let chosen = -1;
    const load = () => {
        loading ??= new Promise((resolve) => {
            const script = document.createElement("script");
            script.src = `${root}names.js`;
            script.onload = resolve;
            document.head.append(script);
        });
        return loading;
    };
    const choose = (place) => {
        const items = [...list.children];
        chosen = items.length ? (place + items.length) % items.length : -1;
        items.forEach((item, at) => item.setAttribute("aria-selected", String(at === chosen)));
        input.setAttribute("aria-activedescendant", chosen < 0 ? "" : `result-${chosen}`);
        items[chosen]?.scrollIntoView({ block: "nearest" });
    };
    const close = () => {
        list.hidden = true;
        input.setAttribute("aria-expanded", "false");
        choose(-1);
    };
    const show = () => {
        const pages = find(input.value);
        list.replaceChildren(
            ...pages.map(([names, kind, path, summary], at) => {
                const item = document.createElement("li");
                item.id = `result-${at}`;
                item.role = "option";
                const link = document.createElement("a");
                link.href = root + path;
                link.tabIndex = -1;
                const name = document.createElement("b");
                name.textContent = kind === "guide" ? names : names.split(" ")[0];
                const label = document.createElement("span");
                label.className = "kind";
                label.textContent = kind;
                const text = document.createElement("small");
                text.textContent = summary;
                link.append(name, label, text);
                item.append(link);
                return item;
            }),
        );
        if (pages.length === 0 && input.value.trim()) {
            const item = document.createElement("li");
            item.className = "none";
            item.textContent = `Nothing is called “${input.value.trim()}”`;
            list.append(item);
        }
        list.hidden = list.children.length === 0;
        input.setAttribute("aria-expanded", String(!list.hidden));
        choose(pages.length ? 0 : -1);
    };
    input.addEventListener("focus", load);
    input.addEventListener("input", () => load().then(show));
    input.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
        } else if (event.key === "Enter") {
            list.children[chosen]?.querySelector("a")?.click();
        } else if (event.key === "Escape") {
            close();
        }
    });
    document.addEventListener("click", (event) => {
        if (!event.target.closest(".search")) close();
    });
    document.addEventListener("keydown", (event) => {
        const typing = event.target.closest("input, textarea, [contenteditable]");
        if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            input.focus();
        }
    });
}

setUpTheme();
setUpMenu();
setUpSearch();
