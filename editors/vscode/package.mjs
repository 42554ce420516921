// Makes the extension for this machine, with the server inside: nothing else has
// to be installed. For Linux on x86-64 the server is built here; for another
// platform, name it and a server built there:
//
//   node package.mjs [PLATFORM SERVER [FILE]]    node package.mjs darwin-arm64 ./tungsten
//
// Platforms are those of `vsce package --target`.
import { execFileSync } from "node:child_process";
import { chmod, copyFile, mkdir, rm } from "node:fs/promises";
import * as path from "node:path";

const root = path.resolve("..", "..");
const [platform = "linux-x64", given, file = `tungsten-${platform}.vsix`] = process.argv.slice(2);
const own = `${process.platform}-${process.arch}`;
if (given === undefined && platform !== own) {
    console.error(`package.mjs: this machine builds for ${own}; for ${platform}, name a server built there`);
    process.exit(2);
}

function buildServer() {
    execFileSync("cargo", ["build", "--release", "--package", "tungsten-lsp"], { cwd: root, stdio: "inherit" });
    const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");
    return path.join(target, "release", process.platform === "win32" ? "tungsten.exe" : "tungsten");
}

const program = given ?? buildServer();
const inside = path.join("server", platform.startsWith("win32") ? "tungsten.exe" : "tungsten");
await mkdir("server", { recursive: true });
try {
    await copyFile(program, inside);
    await chmod(inside, 0o755);
    const options = [
        "--no-dependencies",
        "--skip-license",
        "--allow-missing-repository",
        "--readme-path",
        "dist/README.md",
        "--no-rewrite-relative-links",
    ];
    execFileSync(
        path.join("node_modules", ".bin", "vsce"),
        ["package", "--target", platform, ...options, "--out", file],
        {
            stdio: "inherit",
        },
    );
} finally {
    // A package made without it must not take it along.
    await rm("server", { recursive: true });
}
