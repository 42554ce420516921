"""The shapes of Tungsten's own methods, as the server's PROTOCOL.md gives them."""

import dataclasses

import lsprotocol.types as lsp
from shapes import compare, show

UNSIGNED = "a whole number from 0"


def is_unsigned(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def faults_of_object(value, members, path):
    """Compares an object with a table of its members: name -> (required, test, words)."""
    if not isinstance(value, dict):
        return [f"{path}: no object: {show(value)}"]
    faults = [f"{path}.{name}: unknown member" for name in value if name not in members]
    for name, (required, test, words) in members.items():
        if name not in value:
            if required:
                faults.append(f"{path}.{name}: missing")
        elif not test(value[name]):
            faults.append(f"{path}.{name}: not {words}: {show(value[name])}")
    return faults


def text(required=True):
    return (required, lambda value: isinstance(value, str), "a string")


def unsigned(required=True):
    return (required, is_unsigned, UNSIGNED)


def strings():
    return (
        True,
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
        "an array of strings",
    )


def or_null(member):
    required, test, words = member
    return (required, lambda value: value is None or test(value), f"{words} or null")


def document():
    return (
        True,
        lambda value: isinstance(value, dict) and isinstance(value.get("uri"), str),
        "a document identifier",
    )


def position():
    return (
        False,
        lambda value: (
            value is None
            or (isinstance(value, dict) and is_unsigned(value.get("line")) and is_unsigned(value.get("character")))
        ),
        "a position",
    )


STATES = ("fresh", "stale", "outdated", "pending", "unavailable")

VIEWS = (
    "code",
    "ir",
    "spirv",
    "glsl",
    "hosts",
    "hex",
    "tokens",
    "expanded",
    "registers",
    "waits",
    "targets",
    "baseline",
)


def one_of(words, required=True):
    return (required, lambda value: value in words, f"one of {words}")


def view_uri():
    return (
        True,
        lambda value: isinstance(value, str) and value.startswith(("tungsten-gcn:/", "tungsten-view:/")),
        "the URI of a view",
    )


COMPILED_CODE = {
    "uri": view_uri(),
    "text": text(),
    "state": (True, lambda value: value in STATES, f"one of {STATES}"),
    "message": or_null(text()),
    "sourceLines": (
        True,
        lambda value: isinstance(value, list) and all(line is None or is_unsigned(line) for line in value),
        "an array of line numbers and nulls",
    ),
    "hash": text(),
    "shader": unsigned(),
    "target": text(),
    "view": one_of(VIEWS),
    "beside": strings(),
    "pinned": (True, lambda value: isinstance(value, bool), "a boolean"),
    "targets": strings(),
}

LIBRARY = {"path": text(), "version": text(), "origin": text()}

ORIGINS = ("directive", "includer", "fileName", "setting", "instructions", "default")

ASSEMBLY = {
    "uri": text(),
    "target": text(),
    "targetOrigin": (True, lambda value: value in ORIGINS, f"one of {ORIGINS}"),
    "dialect": (True, lambda value: value in ("llvm", "clrx"), "llvm or clrx"),
    "message": text(),
}

SHADERS = {"uri": text(), "message": text()}

STATUS = {
    "version": text(),
    "llvm": (True, lambda value: value is None or not faults_of_object(value, LIBRARY, ""), "a library or null"),
    "ignored": strings(),
    "searching": (True, lambda value: isinstance(value, bool), "a boolean"),
    "targets": strings(),
    "compiling": unsigned(),
    "message": or_null(text()),
    "assembly": (
        True,
        lambda value: isinstance(value, list) and not any(faults_of_object(it, ASSEMBLY, "") for it in value),
        "an array of assembly files",
    ),
    "shaders": (
        True,
        lambda value: isinstance(value, list) and not any(faults_of_object(it, SHADERS, "") for it in value),
        "an array of files with shaders",
    ),
}


REGISTERS = {"used": unsigned(), "allocated": unsigned(), "peak": unsigned(), "spare": unsigned()}

RELIEF = {
    "waves": unsigned(),
    "vgprs": unsigned(),
    "agprs": unsigned(required=False),
    "eitherKind": (False, lambda value: value is True, "true"),
    "sgprs": unsigned(),
    "lds": unsigned(),
}

WHOLE_GROUPS = {"groups": unsigned(), "waves": unsigned()}


def object_of(members, required=True):
    return (required, lambda value: not faults_of_object(value, members, ""), f"an object of {', '.join(members)}")


def list_of(members):
    return (
        True,
        lambda value: isinstance(value, list) and not any(faults_of_object(item, members, "") for item in value),
        f"an array of objects of {', '.join(members)}",
    )


STEP = {"waves": unsigned(), "vgprs": unsigned(), "sgprs": or_null(unsigned())}

CHIP_COSTS = {
    "target": text(),
    "waves": unsigned(),
    "wholeGroups": object_of(WHOLE_GROUPS, required=False),
    "limiter": text(),
    "vgprs": object_of(REGISTERS),
    "agprs": object_of(REGISTERS, required=False),
    "totalVgprs": object_of(REGISTERS, required=False),
    "sgprs": object_of(REGISTERS),
    "relief": or_null(object_of(RELIEF)),
    "ladder": list_of(STEP),
    "clocks": unsigned(),
    "best": unsigned(),
    "worst": unsigned(),
    "inverseThroughput": unsigned(),
    "bound": text(),
}


# The numbers of a line in their order: line, instructions, issue, stall, cause, vgprs, agprs,
# sgprs, peak.
def is_line_costs(row):
    if not isinstance(row, list) or len(row) != 9:
        return False
    is_number = [isinstance(it, int) and not isinstance(it, bool) and it >= 0 for it in row]
    return all(is_number[:4] + is_number[5:]) and (is_number[4] or row[4] is None) and row[8] in (0, 1)


def line_costs():
    return (
        True,
        lambda value: isinstance(value, list) and all(is_line_costs(row) for row in value),
        "an array of arrays of nine numbers",
    )


CODE_COSTS = {
    "name": text(),
    "number": unsigned(),
    "firstLine": unsigned(),
    "lastLine": unsigned(),
    "state": (True, lambda value: value in STATES, f"one of {STATES}"),
    "chips": list_of(CHIP_COSTS),
    "lines": line_costs(),
}


FIGURES = {
    "instructions": unsigned(),
    "bytes": unsigned(),
    "vgprs": unsigned(),
    "agprs": unsigned(required=False),
    "totalVgprs": unsigned(required=False),
    "sgprs": unsigned(),
    "lds": unsigned(),
    "scratch": unsigned(),
    "spilledVgprs": unsigned(),
    "spilledSgprs": unsigned(),
    "waves": unsigned(),
    "limiter": text(),
    "clocks": unsigned(),
    "inverseThroughput": unsigned(),
}

COLUMN = {
    "label": text(),
    "target": text(),
    "state": one_of(STATES),
    "message": or_null(text()),
    "figures": or_null(object_of(FIGURES)),
}

INSTRUCTION = {"offset": unsigned(), "text": text()}

ROW = {
    "change": one_of(("same", "renamed", "changed", "removed", "added")),
    "cells": (
        True,
        lambda value: (
            isinstance(value, list)
            and not any(cell is not None and faults_of_object(cell, INSTRUCTION, "") for cell in value)
        ),
        "an array of instructions and nulls",
    ),
}

STATEMENT = {
    "line": or_null(unsigned()),
    "text": or_null(text()),
    "before": or_null(text()),
    "rows": list_of(ROW),
}

COMPARISON = {
    "uri": or_null(view_uri()),
    "shader": unsigned(),
    "columns": list_of(COLUMN),
    "statements": list_of(STATEMENT),
}

PINNED = {"shader": unsigned(), "target": text(), "state": one_of(STATES), "figures": object_of(FIGURES)}


def faults_of_comparison(result):
    if result is None:
        return []
    faults = faults_of_object(result, COMPARISON, "tungsten/compare answer")
    if not faults:
        width = len(result["columns"])
        for statement in result["statements"]:
            if any(len(row["cells"]) != width or not any(row["cells"]) for row in statement["rows"]):
                faults.append(f"tungsten/compare answer: a row of {statement['text']} is not of {width} columns")
    return faults


def faults_of_costs(result):
    if result is None:
        return []
    faults = faults_of_object(result, {"codes": list_of(CODE_COSTS)}, "tungsten/costs answer")
    if not faults:
        for code in result["codes"]:
            lines = [row[0] for row in code["lines"]]
            if lines != sorted(set(lines)):
                faults.append(f"tungsten/costs answer: lines of {code['name']} are not in order: {lines}")
            if any(not code["firstLine"] <= line <= code["lastLine"] for line in lines):
                faults.append(f"tungsten/costs answer: {code['name']} has lines outside of itself")
    return faults


def faults_of_compiled_code(result):
    if result is None:
        return []
    faults = faults_of_object(result, COMPILED_CODE, "tungsten/compiledCode answer")
    if not faults:
        lines = result["text"].split("\n")
        # The text's last line break may or may not count as one more, empty line.
        if len(result["sourceLines"]) not in (len(lines), len(lines) - (lines[-1] == "")):
            faults.append(
                f"tungsten/compiledCode answer: {len(result['sourceLines'])} sourceLines for {len(lines)} lines"
            )
    return faults


SELECTION = {
    "textDocument": document(),
    "position": position(),
    "shader": or_null(unsigned(required=False)),
    "target": or_null(text(required=False)),
}


def flag():
    return (True, lambda value: isinstance(value, bool), "a boolean")


def has(**members):
    """An object of these members, or null."""
    return or_null((True, lambda value: not faults_of_object(value, members, ""), f"an object of {set(members)}"))


ADVISED_FIGURES = has(waves=unsigned(), vgprs=unsigned(), sgprs=unsigned(), clocks=unsigned(), instructions=unsigned())

TEXT_PAIR = has(before=text(), after=text())

ADVICE = {
    "status": one_of(("better", "none", "unproven", "refused", "failed")),
    "message": text(),
    "target": text(),
    "shader": or_null(unsigned()),
    "tried": unsigned(),
    "complete": flag(),
    "remembered": flag(),
    "before": ADVISED_FIGURES,
    "after": ADVISED_FIGURES,
    "changes": strings(),
    "assumes": strings(),
    "proof": has(inputs=unsigned(), open=unsigned()),
    "preview": TEXT_PAIR,
    "machineCode": TEXT_PAIR,
    "edit": or_null((True, lambda value: not compare(value, lsp.WorkspaceEdit, ""), "a workspace edit")),
}

BESIDE = (False, lambda value: value is None or strings()[1](value), "an array of strings or null")


@dataclasses.dataclass(frozen=True)
class Method:
    sender: str
    name: str
    params: dict | None
    is_request: bool
    result: object = None

    def faults_of_call(self, sender, message):
        faults = []
        if sender != self.sender:
            faults.append(f"{self.name}: sent by the {sender}")
        if ("id" in message) != self.is_request:
            faults.append(f"{self.name}: a request and a notification differ by the id")
        if self.params is not None:
            faults += faults_of_object(message.get("params"), self.params, self.name)
        return faults

    def faults_of_result(self, result):
        return self.result(result)


OWN = {
    method.name: method
    for method in (
        Method(
            "client",
            "tungsten/compiledCode",
            {**SELECTION, "view": or_null(one_of(VIEWS, required=False)), "beside": BESIDE},
            True,
            faults_of_compiled_code,
        ),
        Method(
            "client",
            "tungsten/compare",
            {**SELECTION, "with": one_of(("targets", "baseline")), "beside": BESIDE},
            True,
            faults_of_comparison,
        ),
        Method(
            "client",
            "tungsten/pinBaseline",
            SELECTION,
            True,
            lambda result: [] if result is None else faults_of_object(result, PINNED, "tungsten/pinBaseline answer"),
        ),
        Method(
            "client",
            "tungsten/unpinBaseline",
            SELECTION,
            True,
            lambda result: [] if isinstance(result, bool) else ["tungsten/unpinBaseline answer: no boolean"],
        ),
        Method(
            "client",
            "tungsten/costs",
            {"textDocument": document()},
            True,
            faults_of_costs,
        ),
        Method(
            "server",
            "tungsten/costsChanged",
            {"textDocument": document()},
            False,
        ),
        Method(
            "client",
            "tungsten/advise",
            {
                "textDocument": document(),
                "position": position(),
                "target": or_null(text(required=False)),
                "seconds": or_null(unsigned(required=False)),
                "variants": or_null(unsigned(required=False)),
                "workDoneToken": text(required=False),
            },
            True,
            lambda result: [] if result is None else faults_of_object(result, ADVICE, "tungsten/advise answer"),
        ),
        Method(
            "client",
            "tungsten/expandMacro",
            {"textDocument": document(), "position": position()},
            True,
            lambda result: (
                [] if result is None else faults_of_object(result, {"text": text()}, "tungsten/expandMacro answer")
            ),
        ),
        Method(
            "client",
            "tungsten/status",
            None,
            True,
            lambda result: faults_of_object(result, STATUS, "tungsten/status answer"),
        ),
        Method("server", "tungsten/statusChanged", STATUS, False),
        Method(
            "server",
            "tungsten/compiledCodeChanged",
            {
                "textDocument": document(),
                "shader": unsigned(),
                "target": text(),
                "view": one_of(VIEWS),
                "uri": or_null(view_uri()),
            },
            False,
        ),
    )
}
