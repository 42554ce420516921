#!/usr/bin/env python3
"""Helix against the real server: keys go in, and the screen is looked at.

    run.py HX SERVER README FOLDER

README has the user's set-up; FOLDER is for files and the editor's home.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

import pyte

ROWS, COLUMNS = 40, 140
SHADER = """FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
  0: MOVV TEMP[0], IN[0]
  1: MOV OUT[0], TEMP[0]
  2: END
"""


class Editor:
    def __init__(self, program, arguments, home, path):
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(
                HOME=home,
                XDG_CONFIG_HOME=f"{home}/.config",
                TERM="xterm-256color",
                PATH=f"{path}:{os.environ['PATH']}",
            )
            os.execv(program, [program, *arguments])
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, size)

    def shown(self):
        return "\n".join(self.screen.display)

    def take(self, seconds):
        """Reads what comes within a time; whether the editor still runs."""
        if select.select([self.terminal], [], [], seconds)[0]:
            try:
                data = os.read(self.terminal, 1 << 16)
            except OSError:
                return False
            if not data:
                return False
            self.stream.feed(data)
        return True

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def wait(self, what, pattern):
        end = time.monotonic() + 60
        while not re.search(pattern, self.shown()):
            if time.monotonic() > end or not self.take(0.1):
                sys.exit(f"helix: never came: {what}; the screen:\n{self.shown()}")
        print(f"ok: {what}")

    def finish(self):
        """Leaves without saving, and waits for the end."""
        # An escape that anything follows at once is another key.
        self.type("\x1b")
        time.sleep(0.5)
        self.type(":qa!\r")
        end = time.monotonic() + 30
        while self.take(0.1):
            if time.monotonic() > end:
                os.kill(self.process, signal.SIGKILL)
                break
        _, status = os.waitpid(self.process, 0)
        if status != 0:
            sys.exit(f"helix: it ended with {status}")


def main():
    program, server, readme, folder = sys.argv[1:]
    home = f"{folder}/home"
    os.makedirs(f"{home}/.config/helix", exist_ok=True)
    with open(readme, encoding="utf-8") as page:
        blocks = re.findall(r"^```toml\n(.*?)^```$", page.read(), re.DOTALL | re.MULTILINE)
    if len(blocks) < 2:
        sys.exit("helix: the README has no set-up")
    with open(f"{home}/.config/helix/languages.toml", "w", encoding="utf-8") as languages:
        languages.write("\n".join(blocks))
    shader = f"{folder}/a.tgsi"
    with open(shader, "w", encoding="utf-8") as file:
        file.write(SHADER)
    editor = Editor(program, [shader], home, os.path.dirname(server))
    editor.wait("the shader is shown", r"MOVV TEMP")
    editor.wait("the wrong opcode is marked", r"\u25cf\s+5")
    # To the first diagnostic, its fixes, the first of them.
    editor.type("]d")
    editor.wait("the diagnostic is shown", r"no opcode|MOVV.*`")
    editor.type(" a")
    # Words of the menu alone: the diagnostic, which is shown already, names the opcode too.
    editor.wait("fixes are offered", r"Replace by")
    editor.type("\t\r")
    editor.wait("the fix is made", r"0: MOV TEMP")
    # To the opcode of line 5.
    editor.type("5ggfM k")
    editor.wait("the opcode is explained", r"dst\.c = src0\.c")
    editor.finish()
    print("helix: all passed")


main()
