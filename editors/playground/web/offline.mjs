// Keeps the files of the playground, so that it opens without a network. What is there is asked
// for first; only without an answer the kept file is given.
const NAME = "tungsten-playground";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
    if (event.request.method !== "GET") return;
    event.respondWith(
        (async () => {
            const kept = await caches.open(NAME);
            try {
                const answer = await fetch(event.request);
                if (answer.ok) await kept.put(event.request, answer.clone());
                return answer;
            } catch (error) {
                const found = await kept.match(event.request);
                if (found) return found;
                throw error;
            }
        })(),
    );
});
