// The page's side of the engine: questions to the worker, and a new worker where one hangs.

/** Milliseconds after which a question is given up. */
const PATIENCE = 8000;

export class Engine {
    #worker;
    #waiting = new Map();
    #number = 0;
    /** The last text, which a new worker is given first. */
    #set = null;
    /** Milliseconds that the engine has worked. */
    took = 0;

    constructor() {
        this.#start();
    }

    #start() {
        // The first one was begun before this script was there.
        this.#worker = window.tungstenWorker ?? new Worker("worker.js", { type: "module" });
        window.tungstenWorker = null;
        this.#worker.onmessage = ({ data }) => {
            const waiting = this.#waiting.get(data.number);
            if (!waiting) return;
            this.#waiting.delete(data.number);
            clearTimeout(waiting.timer);
            if (data.fault === undefined) {
                this.took += data.took;
                waiting.resolve(data.answer);
            } else {
                this.#restart(data.fault);
                waiting.reject(new Error(data.fault));
            }
        };
        this.#worker.onerror = (event) => this.#restart(event.message);
    }

    #restart(reason) {
        this.#worker.terminate();
        for (const { reject, timer } of this.#waiting.values()) {
            clearTimeout(timer);
            reject(new Error(reason));
        }
        this.#waiting.clear();
        this.#start();
        if (this.#set) this.ask("set", ...this.#set).catch(() => {});
    }

    /** Gives the engine a text. */
    set(text, language, chip) {
        this.#set = [text, language, chip];
        return this.ask("set", text, language, chip);
    }

    /** Asks a question, and returns its answer as text. */
    ask(question, ...given) {
        const number = ++this.#number;
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => this.#restart("this takes too long, so it was ended"), PATIENCE);
            this.#waiting.set(number, { resolve, reject, timer });
            this.#worker.postMessage({ number, question, given });
        });
    }

    /** Asks a question whose answer is JSON. */
    async json(question, ...given) {
        return JSON.parse(await this.ask(question, ...given));
    }
}
