// The editor: CodeMirror with the engine's colours, hovers, completion and problems.
import { autocompletion } from "@codemirror/autocomplete";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
    Decoration,
    EditorView,
    highlightActiveLine,
    highlightActiveLineGutter,
    hoverTooltip,
    lineNumbers,
    WidgetType,
} from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { element, markdown } from "./elements.mjs";

/** A field of decorations that an effect replaces and edits move. */
function decorations(effect) {
    return StateField.define({
        create: () => Decoration.none,
        update(marks, transaction) {
            let moved = marks.map(transaction.changes);
            for (const change of transaction.effects) if (change.is(effect)) moved = change.value;
            return moved;
        },
        provide: (field) => EditorView.decorations.from(field),
    });
}

const setTokens = StateEffect.define();
const setValues = StateEffect.define();

/** Values after a line. */
class Values extends WidgetType {
    constructor(text) {
        super();
        this.text = text;
    }
    eq(other) {
        return other.text === this.text;
    }
    toDOM() {
        return element("span", { className: "value" }, this.text);
    }
}

/** Makes the editor; `changed` is told of each edit. */
export function makeEditor(parent, text, engine, changed) {
    const hover = hoverTooltip(async (_view, place) => {
        const found = await engine.json("hover", place).catch(() => null);
        if (!found) return null;
        const dom = () => ({ dom: element("div", { className: "hover" }, ...markdown(found.markdown)) });
        return { pos: found.from, end: found.to, create: dom };
    });
    const completion = autocompletion({
        override: [
            async (context) => {
                const word = context.matchBefore(/[\w.:]+/);
                if (!word && !context.explicit) return null;
                const found = await engine.json("completion", context.pos).catch(() => null);
                if (!found) return null;
                const options = found.items.map(({ label, detail, insert }, at) => ({
                    label,
                    detail,
                    apply: insert,
                    boost: -Math.min(at, 99),
                }));
                return { from: found.from, options };
            },
        ],
    });
    return new EditorView({
        parent,
        doc: text,
        extensions: [
            minimalSetup,
            lineNumbers(),
            highlightActiveLine(),
            highlightActiveLineGutter(),
            lintGutter(),
            hover,
            completion,
            decorations(setTokens),
            decorations(setValues),
            EditorState.tabSize.of(4),
            EditorView.contentAttributes.of({ "aria-label": "Source" }),
            EditorView.updateListener.of((update) => update.docChanged && changed()),
        ],
    });
}

/** Shows problems in the text. */
export function showProblems(view, problems) {
    const length = view.state.doc.length;
    const shown = problems
        .filter(({ to }) => to <= length)
        .map(({ from, to, severity, code, message, fixes }) => ({
            from,
            to,
            severity,
            source: code,
            message,
            actions: fixes.map((fix) => ({ name: fix.title, apply: () => applyFix(view, fix) })),
        }));
    view.dispatch(setDiagnostics(view.state, shown));
}

/** Applies the edits of a fix. */
export function applyFix(view, fix) {
    view.dispatch({ changes: fix.edits });
    view.focus();
}

/** Colours the words. */
export function showTokens(view, tokens) {
    const length = view.state.doc.length;
    const marks = tokens
        .filter(([from, to]) => from < to && to <= length)
        .map(([from, to, kind]) => Decoration.mark({ class: `tk-${kind}` }).range(from, to));
    view.dispatch({ effects: setTokens.of(Decoration.set(marks, true)) });
}

/** Shows a text after each line that has one; lines count from 0. */
export function showValues(view, values) {
    const { doc } = view.state;
    const marks = [...values]
        .filter(([line]) => line < doc.lines)
        .map(([line, text]) => Decoration.widget({ widget: new Values(text), side: 1 }).range(doc.line(line + 1).to));
    view.dispatch({ effects: setValues.of(Decoration.set(marks, true)) });
}

/** Moves the cursor to a place and shows it. */
export function goTo(view, place) {
    view.dispatch({ selection: { anchor: Math.min(place, view.state.doc.length) }, scrollIntoView: true });
    view.focus();
}
