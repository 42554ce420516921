// Before anything is drawn: the theme that was chosen, else that of the system.
(() => {
    let chosen = null;
    try {
        chosen = localStorage.getItem("theme");
    } catch {
        // A page that is a file may have no storage.
    }
    if (chosen === "dark" || chosen === "light") {
        document.documentElement.dataset.theme = chosen;
    }
})();
