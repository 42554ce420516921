// Begins to load the engine while the page itself is still on its way.
window.tungstenWorker = new Worker("worker.js", { type: "module" });
