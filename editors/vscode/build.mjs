// Bundles the extension into one file, so that the package needs no
// node_modules. The types are checked before, by `npm run check`.
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { build } from "esbuild";

const { metafile } = await build({
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    bundle: true,
    // Provided by the editor itself.
    external: ["vscode"],
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    sourcemap: false,
    metafile: true,
    logLevel: "warning",
});

// The page of the panel, for the browser that shows it.
await build({
    entryPoints: ["ts", "css"].map((kind) => ({ in: `panel/page.${kind}`, out: "panel" })),
    outdir: "dist",
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    logLevel: "warning",
});

// What is bundled is passed on, so its licences are too.
const packages = new Set(
    Object.keys(metafile.inputs).flatMap((input) => input.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []),
);
const notices = [];
for (const folder of [...packages].sort()) {
    const { name, version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? license : await readFile(path.join(folder, file), "utf8");
    notices.push(`${name} ${version}\n\n${text.trim()}\n`);
}
await writeFile("dist/THIRD-PARTY.txt", notices.join(`\n${"-".repeat(72)}\n\n`));
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) {
    await copyFile(path.join("..", "..", licence), path.join("dist", licence));
}

// The examples of the walkthrough.
await mkdir("dist/examples", { recursive: true });
for (const example of ["lit_texture.tgsi", "zero_normal.tgsi", "zero_normal.inputs.toml"]) {
    await copyFile(path.join("..", "..", "examples", example), path.join("dist", "examples", example));
}

// The page that the editor shows of the extension. It loads pictures from https alone, none
// from the package: without an address where the folder is to be had there are none.
// Those of the walkthrough are in the package.
const address = process.env.TUNGSTEN_PICTURES;
const page = await readFile("README.md", "utf8");
const picture = /!\[([^\]]*)\]\((media\/[\w-]+\.png)\)\n\n/g;
await writeFile("dist/README.md", page.replaceAll(picture, address === undefined ? "" : `![$1](${address}/$2)\n\n`));
