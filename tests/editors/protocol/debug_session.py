#!/usr/bin/env python3
"""A small client of the debug adapter: one session of each sort of program.

    debug_session.py ADAPTER EXAMPLES

ADAPTER is the program with its recorder, to which `dap FOLDER` is added. Exit status 1 with
what was not as expected.
"""

import json
import subprocess
import sys
import time

PATIENCE = 60


class Client:
    """A client with one adapter."""

    def __init__(self, adapter, folder):
        self._adapter = subprocess.Popen([adapter, "dap", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._sent = 0
        self._events = []
        self.request("initialize", adapterID="tungsten", linesStartAt1=True)

    def _read(self):
        length = 0
        while (line := self._adapter.stdout.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self._adapter.stdout.read(length))

    def _ask(self, command, arguments):
        self._sent += 1
        message = {"seq": self._sent, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self._adapter.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._adapter.stdin.flush()
        while True:
            answer = self._read()
            if answer["type"] == "response" and answer["request_seq"] == self._sent:
                return answer
            self._events.append(answer)

    def request(self, command, **arguments):
        answer = self._ask(command, arguments)
        assert answer["success"], answer
        return answer.get("body")

    def refused(self, command, **arguments):
        answer = self._ask(command, arguments)
        assert not answer["success"], answer
        return answer["message"]

    def event(self, name):
        while True:
            for place, event in enumerate(self._events):
                if event["event"] == name:
                    del self._events[place]
                    return event.get("body", {})
            self._events.append(self._read())

    def begin(self, **launch):
        self.request("launch", **launch)
        self.event("initialized")

    def frames(self):
        return self.request("stackTrace", threadId=1)["stackFrames"]

    def go(self, command, **arguments):
        """Moves the run, and gives the reason of the stop and the line."""
        self.request(command, threadId=1, **arguments)
        return self.event("stopped")["reason"], self.frames()[0]["line"]

    def scope(self, name):
        scopes = self.request("scopes", frameId=self.frames()[0]["id"])["scopes"]
        reference = next(scope["variablesReference"] for scope in scopes if scope["name"] == name)
        return self.request("variables", variablesReference=reference)["variables"]

    def end(self):
        self.request("disconnect")
        self._adapter.stdin.close()
        began = time.monotonic()
        assert self._adapter.wait(PATIENCE) == 0, "the adapter failed"
        assert time.monotonic() - began < PATIENCE


def shader(adapter, examples):
    """A shader in the interpreter: every kind of breakpoint, both directions."""
    client = Client(adapter, examples)
    program = f"{examples}/zero_normal.tgsi"
    client.begin(program=program, stopOnEntry=True)
    source = {"path": program}
    breakpoints = [
        {"line": 15, "condition": "lane == 3 && isnan(TEMP[1].x)"},
        {"line": 21, "logMessage": "diffuse is {TEMP[1].z}"},
        {"line": 23, "hitCondition": "1"},
    ]
    placed = client.request("setBreakpoints", source=source, breakpoints=breakpoints)["breakpoints"]
    assert [own["verified"] for own in placed] == [True] * 3, placed
    client.request("setExceptionBreakpoints", filters=["nan"])
    assert client.request("breakpointLocations", source=source, line=11, endLine=24)["breakpoints"]
    client.request("configurationDone")
    assert client.event("stopped")["reason"] == "entry"
    assert client.request("threads")["threads"]
    assert client.go("next") == ("step", 12)
    assert client.go("stepIn") == ("step", 13)
    assert client.go("stepBack") == ("step", 12)
    assert client.go("continue") == ("exception", 14)
    assert "TEMP[0].x became NaN" in client.request("exceptionInfo", threadId=1)["description"]
    client.request("setExceptionBreakpoints", filters=[])
    assert client.go("continue") == ("breakpoint", 15)
    information = client.request("dataBreakpointInfo", name="TEMP[1].z")
    data = [{"dataId": information["dataId"], "accessType": "write"}]
    client.request("setDataBreakpoints", breakpoints=data)
    assert client.go("continue") == ("data breakpoint", 18)
    client.request("setDataBreakpoints", breakpoints=[])
    assert client.go("continue") == ("breakpoint", 23)
    assert "diffuse is 0.4" in "".join(client.event("output")["output"] for _ in range(2))
    client.request("evaluate", expression="lane 3", context="repl")
    why = client.request("evaluate", expression="nan OUT[0].x", context="repl")
    assert "TEMP[0].w = inf" in why["result"], why
    assert client.request("variables", variablesReference=why["variablesReference"])["variables"]
    frame = client.frames()[0]["id"]
    values = client.request("tungsten/lineValues", frameId=frame)["lines"]
    assert not next(own for own in values if own["line"] == 17)["isActive"], values
    origins = client.request("tungsten/origins", expression="OUT[0].x", follow="nan", frameId=frame)
    maker = next(own for own in origins["values"] if own.get("line") == 13)
    client.request("tungsten/goTo", position=maker["position"])
    assert client.event("stopped")["reason"] == "goto" and client.frames()[0]["line"] == 13
    assert client.request("evaluate", expression="TEMP[0].w", context="watch")["result"].startswith("inf")
    assert client.scope("Temporaries") and client.scope("Focus")
    lane = client.scope("Focus")
    client.request("setVariable", variablesReference=1, name=lane[0]["name"], value="1")
    assert "is kept" in client.refused("setVariable", variablesReference=1, name="TEMP[0]", value="1")
    assert client.go("reverseContinue") == ("entry", 11)
    client.request("restart")
    client.event("stopped")
    client.end()


def machine_code(adapter, examples):
    """A shader beside its machine code: instructions, and both in one stack."""
    client = Client(adapter, examples)
    client.begin(
        program=f"{examples}/lit_texture.tgsi", inputs="lit_texture.inputs.toml", target="vega10", stopOnEntry=True
    )
    assert "agree" in "".join(client.event("output")["output"] for _ in range(3))
    client.request("setExceptionBreakpoints", filters=["difference"])
    client.request("configurationDone")
    client.event("stopped")
    frames = client.frames()
    assert len(frames) == 2 and frames[1]["name"].startswith("s_"), frames
    reference = frames[0]["instructionPointerReference"]
    listing = client.request("disassemble", memoryReference=reference, instructionOffset=-200, instructionCount=400)
    shown = [own for own in listing["instructions"] if own["instruction"]]
    assert len(listing["instructions"]) == 400 and len(shown) > 80, len(shown)
    assert client.go("next", granularity="instruction")[0] == "step"
    after = client.frames()
    assert after[0]["line"] == frames[0]["line"] and after[1]["name"] != frames[1]["name"]
    sample = next(own for own in shown if own["instruction"].startswith("image_sample"))
    wish = [{"instructionReference": sample["address"]}]
    assert client.request("setInstructionBreakpoints", breakpoints=wish)["breakpoints"][0]["verified"]
    assert client.go("continue")[0] == "breakpoint"
    assert client.frames()[1]["name"] == sample["instruction"]
    assert any(own["name"] == "exec" for own in client.scope("Special registers"))
    assert client.request("evaluate", expression="exec", context="hover")["result"]
    assert "image_sample" in client.frames()[1]["name"]
    assert client.go("stepBack", granularity="instruction")[0] == "step"
    assert client.request("evaluate", expression="why v1", context="repl")["result"]
    assert client.go("continue")[0] == "breakpoint"
    client.request("setInstructionBreakpoints", breakpoints=[])
    client.request("continue", threadId=1)
    assert client.event("stopped")["text"] == "the end of the run"
    client.end()


def kernel(adapter, examples):
    """A kernel: waves, memory, wrong requests."""
    client = Client(adapter, examples)
    assert "no such" in client.refused("launch", program=f"{examples}/nothing.s").lower()
    client.event("terminated")
    client.begin(program=f"{examples}/saxpy.s", inputs="saxpy.inputs.toml", stopOnEntry=True)
    client.request("setFunctionBreakpoints", breakpoints=[])
    client.request("configurationDone")
    client.event("stopped")
    reason, line = client.go("next")
    assert reason == "step" and line > 0
    memory = next(own for own in client.scope("Memory") if "memoryReference" in own)
    read = client.request("readMemory", memoryReference=memory["memoryReference"], count=16)
    assert len(read["data"]) == 24, read
    assert "EXEC" in client.request("threads")["threads"][0]["name"]
    assert "not known" in client.refused("tungsten/nothing")
    client.request("pause", threadId=1)
    client.request("terminate")
    client.event("terminated")
    client._adapter.stdin.close()
    assert client._adapter.wait(PATIENCE) == 0


def main():
    adapter, examples = sys.argv[1:3]
    for session in (shader, machine_code, kernel):
        session(adapter, examples)
        print(f"ok {session.__doc__}")


if __name__ == "__main__":
    main()
