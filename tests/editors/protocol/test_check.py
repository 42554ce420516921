#!/usr/bin/env python3
"""Shows that the checker sees faults: a checker that passes all proves nothing."""

import json
import os
import sys
import tempfile

import check

INITIALIZE = [
    ("client", {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}),
    ("server", {"id": 1, "result": {"capabilities": {"hoverProvider": True}}}),
    ("client", {"method": "initialized", "params": {}}),
]
END = [
    ("client", {"id": 99, "method": "shutdown"}),
    ("server", {"id": 99, "result": None}),
    ("client", {"method": "exit"}),
]
HOVER = (
    "client",
    {
        "id": 2,
        "method": "textDocument/hover",
        "params": {"textDocument": {"uri": "file:///a"}, "position": {"line": 0, "character": 0}},
    },
)
ANSWER = ("server", {"id": 2, "result": {"contents": {"kind": "markdown", "value": "x"}}})


def publish(**changes):
    diagnostic = {
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}},
        "message": "m",
        "severity": 1,
    }
    diagnostic.update(changes)
    return (
        "server",
        {
            "method": "textDocument/publishDiagnostics",
            "params": {"uri": "file:///a", "diagnostics": [diagnostic]},
        },
    )


def compiled(**changes):
    result = {
        "uri": "tungsten-gcn:/a",
        "text": "x\n",
        "state": "fresh",
        "message": None,
        "sourceLines": [0],
        "hash": "1",
        "shader": 0,
        "target": "polaris10",
        "view": "code",
        "beside": [],
        "pinned": False,
        "targets": ["polaris10"],
    }
    result.update(changes)
    call = {"id": 3, "method": "tungsten/compiledCode", "params": {"textDocument": {"uri": "file:///a"}}}
    return [("client", call), ("server", {"id": 3, "result": result})]


def compared(**changes):
    figures = ("instructions", "bytes", "vgprs", "sgprs", "lds", "scratch", "spilledVgprs", "spilledSgprs", "waves")
    sums = {name: 1 for name in (*figures, "clocks", "inverseThroughput")} | {"limiter": "waves"}
    columns = [
        {"label": label, "target": "polaris10", "state": "fresh", "message": None, "figures": sums}
        for label in ("baseline", "now")
    ]
    row = {"change": "removed", "cells": [{"offset": 0, "text": "s_endpgm"}, None]}
    row.update(changes)
    statement = {"line": None, "text": "END", "before": None, "rows": [row]}
    result = {"uri": "tungsten-view:/a", "shader": 0, "columns": columns, "statements": [statement]}
    params = {"textDocument": {"uri": "file:///a"}, "with": "baseline"}
    call = {"id": 5, "method": "tungsten/compare", "params": params}
    return [("client", call), ("server", {"id": 5, "result": result})]


def costs(**changes):
    line = {"line": 1, "instructions": 1, "issue": 4, "stall": 0, "cause": None}
    line.update({"vgprs": 1, "agprs": 0, "sgprs": 0, "peak": 1})
    line.update(changes)
    registers = {"used": 1, "allocated": 4, "peak": 1, "spare": 23}
    chip = {
        "target": "polaris10",
        "waves": 8,
        "limiter": "waves",
        "vgprs": registers,
        "sgprs": registers,
        "relief": None,
        "ladder": [{"waves": 8, "vgprs": 32, "sgprs": None}],
        "clocks": 4,
        "best": 4,
        "worst": 4,
        "inverseThroughput": 4,
        "bound": "valu",
    }
    code = {
        "name": "main",
        "number": 0,
        "firstLine": 1,
        "lastLine": 1,
        "state": "fresh",
        "chips": [chip],
        "lines": [list(line.values())],
    }
    call = {"id": 4, "method": "tungsten/costs", "params": {"textDocument": {"uri": "file:///a"}}}
    return [("client", call), ("server", {"id": 4, "result": {"codes": [code]}})]


def status(**changes):
    result = {
        "version": "1.0.0",
        "llvm": None,
        "ignored": [],
        "searching": False,
        "targets": ["polaris10"],
        "compiling": 0,
        "message": "no libLLVM",
        "assembly": [],
        "shaders": [{"uri": "file:///a", "message": "TGSI of any reader"}],
    }
    result.update(changes)
    call = {"id": 6, "method": "tungsten/status"}
    return [("client", call), ("server", {"id": 6, "result": result})]


def pulled(*answers, part=None):
    params = {"previousResultIds": [], "partialResultToken": "parts"}
    call = [("client", {"id": 7, "method": "workspace/diagnostic", "params": params})]
    items = [{"uri": "file:///a", "version": None, "kind": "full", "items": [], **(part or {})}]
    progress = {"method": "$/progress", "params": {"token": "parts", "value": {"items": items}}}
    return call + [("server", progress)] + [("server", answer) for answer in answers]


# What is recorded between start and end, a part of the expected complaint or None, and
# the end where it is another than END.
CASES = {
    "a clean run": ([HOVER, ANSWER, publish()] + compiled() + costs() + compared() + status(), None),
    "news after the end": (END + [publish()], "after exit"),
    "no answer": ([HOVER], "never answered"),
    "no answer to a goodbye": ([("client", {"id": 50, "method": "shutdown"})], "never answered"),
    "a client that leaves without waiting": ([HOVER, ANSWER], None, END[:1]),
    "no answer before a client leaves": ([HOVER], "hover (id 2) was never answered", END[:1]),
    "an answer in parts": (pulled({"id": 7, "result": {"items": []}}), None),
    "a part after its answer": (
        [pulled()[0], ("server", {"id": 7, "result": {"items": []}}), pulled()[1]],
        "after the answer",
    ),
    "a part of another shape": (pulled({"id": 7, "result": {"items": []}}, part={"items": 3}), "part"),
    "diagnostics of the workspace that are owed at the end": (pulled(), "never answered"),
    "two answers": ([HOVER, ANSWER, ANSWER], "a second answer"),
    "an answer to nothing": ([ANSWER], "an answer to nothing"),
    "result and error": (
        [HOVER, ("server", {"id": 2, "result": None, "error": {"code": 1, "message": ""}})],
        "neither result nor error, or both",
    ),
    "an unknown enumerator": ([publish(severity=7)], "DiagnosticSeverity"),
    "an unknown member": ([publish(colour="red")], "no such member"),
    "a null that may only be left out": ([publish(source=None)], "may only leave it out"),
    "a wrong type": ([publish(message=3)], "no string"),
    "a negative line": (
        [publish(range={"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 1}})],
        "negative",
    ),
    "a missing member": ([publish(range={"start": {"line": 0, "character": 0}})], "missing"),
    "the wrong direction": ([("server", HOVER[1])], "sent by the server"),
    "an unknown method": ([("server", {"method": "tungsten/unheardOf", "params": {}})], "unknown method"),
    "an unknown state of compiled code": (compiled(state="old"), "state"),
    "lines and text of compiled code differ": (compiled(sourceLines=[0, 1, 2]), "sourceLines"),
    "an unknown view": (compiled(view="picture"), "view"),
    "a change without a name": (compared(change="moved"), "statements"),
    "a row of another width": (compared(cells=[None]), "columns"),
    "costs of a line of another shader": (costs(line=7), "outside of itself"),
    "clocks that are no number": (costs(issue="4"), "codes"),
    "a shader's file without its reader": (status(shaders=[{"uri": "file:///a"}]), "shaders"),
    "params that are null": (
        [("server", {"method": "textDocument/publishDiagnostics", "params": None})],
        "params are null",
    ),
    "a broken body": ([("server", None)], "no JSON"),
}


def run(messages, end=END):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", delete=False) as record:
        for sender, message in INITIALIZE + messages + end:
            entry = {"time": 0, "from": sender}
            if message is None:
                entry["broken"] = "{"
            else:
                entry["message"] = {"jsonrpc": "2.0", **message}
            record.write(json.dumps(entry) + "\n")
    try:
        return [fault for session in check.sessions_of(record.name) for fault in session.faults["server"]]
    finally:
        os.unlink(record.name)


def main():
    passed = failed = 0
    for name, (messages, complaint, *end) in CASES.items():
        faults = run(messages, *end)
        good = not faults if complaint is None else any(complaint in fault for fault in faults)
        passed, failed = passed + good, failed + (not good)
        print(f"{'ok' if good else 'not ok'} {name}" + ("" if good else f": {faults}"))
    print(f"checker: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
