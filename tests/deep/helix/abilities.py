#!/usr/bin/env python3
"""Compares what Helix says of itself with the abilities that the clients' checks give it.

    abilities.py RECORDS FILE

RECORDS is a folder of recorded messages; FILE holds the abilities.
"""

import json
import pathlib
import sys


def introductions(records):
    for record in sorted(pathlib.Path(records).glob("*.jsonl")):
        for line in record.read_text().splitlines():
            message = json.loads(line)["message"]
            if isinstance(message, dict) and message.get("method") == "initialize":
                yield message["params"]


def main(records, path):
    known = json.loads(pathlib.Path(path).read_text())
    found = list(introductions(records))
    if not found:
        sys.exit("Helix did not introduce itself")
    for params in found:
        if params["clientInfo"]["version"] != known["clientInfo"]["version"]:
            print(
                f"skipped: {path} is of Helix {known['clientInfo']['version']}, "
                f"this is {params['clientInfo']['version']}"
            )
        elif params["capabilities"] != known["capabilities"]:
            sys.exit(f"Helix says {json.dumps(params['capabilities'])}, and {path} something else")
    print("ok: the abilities of Helix are known")


main(*sys.argv[1:])
