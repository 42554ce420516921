#!/usr/bin/env python3
"""Runs a language server and records every message that passes, both ways.

    tee.py RECORD PROGRAM ARGUMENT…

RECORD gets one JSON object a line: {"time", "from": "client"|"server",
"message"}. What cannot be read as a message is recorded as {"broken": text}:
the editor gets the bytes all the same, and the checker reports it. A program that
somebody killed is recorded as {"killed": true} at the end.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time


class Record:
    """A file that two threads append lines to."""

    def __init__(self, path):
        self._file = open(path, "a", buffering=1, encoding="utf-8")
        self._lock = threading.Lock()

    def add(self, sender, body):
        try:
            self.write(sender, message=json.loads(body))
        except ValueError:
            self.write(sender, broken=body.decode("utf-8", "replace"))

    def write(self, sender, **said):
        entry = {"time": time.time(), "from": sender, **said}
        line = json.dumps(entry) + "\n"
        with self._lock:
            self._file.write(line)


def read_message(stream):
    """The header's bytes and the body's, or None at the end."""
    header = b""
    length = None
    while True:
        line = stream.readline()
        if not line:
            return None
        header += line
        if line == b"\r\n":
            break
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if length is None:
        return header, b""
    body = stream.read(length)
    return (header, body) if len(body) == length else None


def pass_on(source, target, sender, record):
    """Copies messages until one side ends."""
    try:
        while (message := read_message(source)) is not None:
            header, body = message
            # Recorded first: what was received counts even if the other side
            # has gone.
            record.add(sender, body)
            target.write(header + body)
            target.flush()
    except (BrokenPipeError, ValueError):
        pass
    finally:
        try:
            target.close()
        except OSError:
            pass


def main():
    record = Record(sys.argv[1])
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    from_client = os.fdopen(0, "rb", closefd=False)
    to_client = os.fdopen(1, "wb", closefd=False)
    threading.Thread(target=pass_on, args=(from_client, server.stdin, "client", record), daemon=True).start()
    pass_on(server.stdout, to_client, "server", record)
    status = server.wait()
    if status == -signal.SIGKILL:
        record.write("server", killed=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
