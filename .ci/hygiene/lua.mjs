// Formats Lua as `stylua.toml` says, by the formatter's WebAssembly: its program is in no
// registry.
//
//   lua.mjs TOOLS check|fix FILE...
//
// TOOLS is the folder whose node_modules has the formatter. Exit status 1 tells that a file
// is not formatted, or cannot be read as Lua.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [tools, task, ...files] = process.argv.slice(2);
const stylua = createRequire(`${tools}/`)("@johnnymorganz/stylua");
const words = { indent_type: stylua.IndentType, quote_style: stylua.QuoteStyle };

const settings = readFileSync("stylua.toml", "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" = "))
    .map(([name, value]) => [name, words[name]?.[JSON.parse(value)] ?? JSON.parse(value)]);

/** A formatter takes its configuration away from whoever hands it over. */
function configuration() {
    const config = stylua.Config.new();
    for (const [name, value] of settings) {
        if (!(name in config)) {
            throw new Error(`stylua.toml: ${name} is no setting`);
        }
        config[name] = value;
    }
    return config;
}

for (const file of files) {
    try {
        const text = readFileSync(file, "utf8");
        const formatted = stylua.formatCode(text, configuration(), undefined, stylua.OutputVerification.Full);
        if (formatted === text) {
            continue;
        }
        if (task === "fix") {
            writeFileSync(file, formatted);
        } else {
            const line = formatted.split("\n").findIndex((line, index) => line !== text.split("\n")[index]);
            console.log(`${file}:${line + 1}: not formatted`);
            process.exitCode = 1;
        }
    } catch (error) {
        console.log(`${file}: ${error}`);
        process.exitCode = 1;
    }
}
