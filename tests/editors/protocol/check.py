#!/usr/bin/env python3
"""Judges a recording of `tee.py`: exit status 1 if the server broke the protocol.

    check.py RECORD…

- Every message has the form of JSON-RPC and, where the protocol knows its
  method, the exact shape of its type; Tungsten's own methods that of
  `own_methods.py`.
- Each goes in a direction that its method allows.
- Every request is answered exactly once, none is answered that was not asked.
- The server says nothing after `exit`, and asks nothing before `initialized`.

The client's own faults are counted apart: editors are not under test.
"""

import collections
import json
import sys

import lsprotocol.types as lsp
import own_methods
from shapes import compare

# Until `initialize` is answered, a server may send only these.
BEFORE_INITIALIZE = {
    "window/showMessage",
    "window/logMessage",
    "telemetry/event",
    "window/showMessageRequest",
    "$/progress",
}


class Session:
    """The messages of one run of the server, in order."""

    def __init__(self, name):
        self.name = name
        self.faults = collections.defaultdict(list)
        self.counts = collections.Counter()
        self.methods = collections.Counter()
        self.pending = {}
        # The requests whose answers may come in parts, by the parts' names.
        self.parts = {}
        # The tokens of requests, and those of requests that were answered with a result.
        self.tokens = {}
        self.closed_tokens = set()
        self.answered = set()
        self.initialized = False
        self.exited = False
        self.killed = False

    def fault(self, sender, number, text):
        self.faults[sender].append(f"{self.name}:{number}: {text}")

    def take(self, number, entry):
        sender = entry["from"]
        if "killed" in entry:
            self.killed = True
            return
        self.counts[sender] += 1
        if "broken" in entry:
            self.fault(sender, number, f"no JSON: {entry['broken'][:80]}")
            return
        message = entry["message"]
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self.fault(sender, number, "no JSON-RPC 2.0 message")
            return
        # An answer may cross the client's farewell.
        if sender == "server" and self.exited and "method" in message:
            self.fault(sender, number, "a message after exit")
        if "method" in message:
            self.take_call(number, sender, message)
        else:
            self.take_answer(number, sender, message)

    def take_call(self, number, sender, message):
        method = message["method"]
        self.methods[(sender, method)] += 1
        if sender == "client" and method == "initialized":
            self.initialized = True
        if sender == "client" and method == "exit":
            self.exited = True
        if sender == "server" and not self.initialized and method not in BEFORE_INITIALIZE:
            self.fault(sender, number, f"{method} before initialized")
        if "id" in message:
            key = (sender, json.dumps(message["id"]))
            if key in self.pending:
                self.fault(sender, number, f"{method}: the id {message['id']!r} is in use")
            self.answered.discard(key)
            self.pending[key] = method
            params = message.get("params") or {}
            names = [params.get("partialResultToken"), params.get("workDoneToken")]
            self.tokens[key] = {json.dumps(name) for name in names if name is not None}
            self.closed_tokens -= self.tokens[key]
            if names[0] is not None:
                self.parts[json.dumps(names[0])] = method
        for fault in self.faults_of_call(sender, message):
            self.fault(sender, number, fault)

    def faults_of_call(self, sender, message):
        method = message["method"]
        if message.get("params", ...) is None:
            return [f"{method}: params are null, where JSON-RPC wants them left out"]
        own = own_methods.OWN.get(method)
        if own is not None:
            return own.faults_of_call(sender, message)
        if method == "$/progress" and sender == "server":
            if json.dumps(message["params"].get("token")) in self.closed_tokens:
                return ["$/progress: told after the answer to its request"]
            whole = self.parts.get(json.dumps(message["params"].get("token")))
            if whole in lsp.METHOD_TO_TYPES:
                part = {"jsonrpc": "2.0", "id": 0, "result": message["params"].get("value")}
                return compare(part, lsp.METHOD_TO_TYPES[whole][1], f"{whole} part")
        types = lsp.METHOD_TO_TYPES.get(method)
        if types is None:
            # `$/` may be extended freely; others must be known.
            return [] if method.startswith("$/") else [f"unknown method {method}"]
        faults = []
        direction = lsp.message_direction(method)
        allowed = {"both", "clientToServer" if sender == "client" else "serverToClient"}
        if direction not in allowed:
            faults.append(f"{method}: sent by the {sender}")
        return faults + compare(message, types[0], method)

    def take_answer(self, number, sender, message):
        asker = "client" if sender == "server" else "server"
        key = (asker, json.dumps(message.get("id")))
        method = self.pending.pop(key, None)
        if method is None:
            kind = "a second answer" if key in self.answered else "an answer to nothing"
            self.fault(sender, number, f"{kind}: id {message.get('id')!r}")
            return
        self.answered.add(key)
        if "result" in message:
            self.closed_tokens |= self.tokens.pop(key, set())
        if ("result" in message) == ("error" in message):
            self.fault(sender, number, f"{method}: neither result nor error, or both")
            return
        if "error" in message:
            faults = compare(message["error"], lsp.ResponseError, f"{method} error")
        elif method in own_methods.OWN:
            faults = own_methods.OWN[method].faults_of_result(message["result"])
        elif method in lsp.METHOD_TO_TYPES:
            faults = compare(message, lsp.METHOD_TO_TYPES[method][1], f"{method} answer")
        else:
            faults = []
        for fault in faults:
            self.fault(sender, number, fault)

    def finish(self):
        if self.killed:
            return  # By somebody else: the dead answer nothing.
        for (asker, identity), method in self.pending.items():
            if method == "workspace/diagnostic" and not self.exited:
                continue  # Kept open until there is news; the client hung up before.
            # It may be kept back until there is news, or the client says goodbye.
            if method == "workspace/diagnostic" and not self.methods["client", "shutdown"]:
                continue
            answerer = "server" if asker == "client" else "client"
            if method == "shutdown" and not self.exited:
                answerer = "client"  # It left without waiting, as Neovim does when it quits.
            self.fault(answerer, "end", f"{method} (id {identity}) was never answered")


def sessions_of(path):
    """A recording may hold several runs, one after the other."""
    session = None
    with open(path, encoding="utf-8") as record:
        for number, line in enumerate(record, 1):
            entry = json.loads(line)
            message = entry.get("message")
            starts = isinstance(message, dict) and message.get("method") == "initialize"
            if session is None or starts:
                if session is not None:
                    session.finish()
                    yield session
                session = Session(path)
            session.take(number, entry)
    if session is not None:
        session.finish()
        yield session


def main(paths):
    passed = failed = 0
    for path in paths:
        sessions = list(sessions_of(path))
        if not sessions:
            print(f"{path}: nothing was recorded")
            failed += 1
            continue
        for index, session in enumerate(sessions):
            faults = session.faults["server"]
            for fault in faults[:40]:
                print(fault)
            counts = session.counts
            good = not faults and counts["server"] > 0
            passed, failed = passed + good, failed + (not good)
            methods = sum(1 for sender, _ in session.methods if sender == "client")
            print(
                f"{path} run {index}: {counts['server']} messages of the server, "
                f"{counts['client']} of the client in {methods} methods; "
                f"{len(faults)} faults of the server, "
                f"{len(session.faults['client'])} of the client"
            )
    print(f"protocol: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
