#!/usr/bin/env python3
"""Runs a language server whose own questions are interrupted, as if by an edit.

    interrupt.py LIST PROGRAM ARGUMENT…

The first two questions of each method of ours are not passed on: the client gets
the answer that a server gives whose text changed under the question. Each method
that was interrupted is written to LIST, a line each, so that whoever asserts what
the editor shows can assert that it had to ask again.
"""

import json
import os
import subprocess
import sys
import threading

from tee import read_message

CONTENT_MODIFIED = -32801
TIMES = 2


def is_ours(method):
    return method.startswith("tungsten/") or method == "workspace/textDocumentContent"


class Client:
    """What the editor reads, written by two threads."""

    def __init__(self):
        self._stream = os.fdopen(1, "wb", closefd=False)
        self._lock = threading.Lock()

    def send(self, body):
        with self._lock:
            self._stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self._stream.flush()


def question_of(body):
    """The method and the id of a question of ours, else None."""
    message = json.loads(body)
    method = message.get("method", "")
    return (method, message["id"]) if "id" in message and is_ours(method) else None


def listen(source, server, client, interrupted):
    """Passes on what the client says, and answers what is interrupted."""
    seen = {}
    while (message := read_message(source)) is not None:
        header, body = message
        question = question_of(body)
        if question is not None and seen.get(question[0], 0) < TIMES:
            method, number = question
            seen[method] = seen.get(method, 0) + 1
            interrupted.write(method + "\n")
            error = {"code": CONTENT_MODIFIED, "message": "content modified"}
            client.send(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode())
        else:
            server.write(header + body)
            server.flush()
    server.close()


def main():
    interrupted = open(sys.argv[1], "w", buffering=1, encoding="utf-8")
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    client = Client()
    source = os.fdopen(0, "rb", closefd=False)
    threading.Thread(target=listen, args=(source, server.stdin, client, interrupted), daemon=True).start()
    while (message := read_message(server.stdout)) is not None:
        client.send(message[1])
    sys.exit(server.wait())


if __name__ == "__main__":
    main()
