//! Output of the command line on odd calls, pinned by checksums: the help of every command,
//! options with wrong values and none, every fault in every form of a report.

use super::answers::{said, table};

const COMMANDS: [&str; 21] = [
    "lsp",
    "dap",
    "check",
    "compile",
    "fmt",
    "tokens",
    "asm",
    "convert",
    "stats",
    "why",
    "run",
    "advise",
    "disasm",
    "caps",
    "analysis-stats",
    "completions",
    "man",
    "profiles",
    "targets",
    "doctor",
    "explain",
];

#[test]
fn help_of_every_command() {
    let mut records = table("help.tsv");
    for command in COMMANDS {
        records.add(command, "help", &said(&[command, "--help"]));
        records.add(command, "short", &said(&[command, "-h"]));
        records.add(command, "unknown option", &said(&[command, "--no-such-option"]));
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish", "nothing"] {
        records.add("completions", shell, &said(&["completions", shell]));
    }
    records.add("tungsten", "help", &said(&["--help"]));
    records.add("tungsten", "nothing", &said(&[]));
    records.check();
}

const SHADER: &str = "tgsi/frag/alpha_test.tgsi";
const KERNEL: &str = "gcn/llvm/saxpy_gfx803.s";

/// Calls with values that are at the edge of what is taken, or beyond it.
const CALLS: [&[&str]; 66] = [
    &["check", SHADER, "--format", "xml"],
    &["check", SHADER, "--json", "--format", "sarif"],
    &["check", SHADER, "--dialect", "mesa-1999"],
    &["check", SHADER, "--dialect", "virglrenderer"],
    &["check", SHADER, "--profile", "nothing"],
    &["check", SHADER, "--profile", "r600,nv50"],
    &["check", SHADER, "--allow", "nothing"],
    &["check", SHADER, "--allow", "tgsi::no-such-code"],
    &["check", SHADER, "--pipeline"],
    &["check", SHADER, KERNEL],
    &["check", SHADER, SHADER, "tgsi/none"],
    &["check", "tgsi/faults"],
    &["check", "gcn/fault"],
    &["check", "-"],
    &["check", KERNEL, "--defsym", "x"],
    &["check", KERNEL, "--defsym", "x=1", "--defsym", "x=0x10"],
    &["check", KERNEL, "--defsym", "x=-1", "-I", "gcn/macro"],
    &["check", KERNEL, "--target", "fiji,nothing"],
    &["check", KERNEL, "--trust", "nothing"],
    &["fmt", SHADER, "--numbers", "some"],
    &["fmt", "tgsi/faults", "--check"],
    &["fmt", "tgsi/layouts", "--check"],
    &["fmt", "gcn/llvm", "--check"],
    &["fmt", "-", "--stdout"],
    &["fmt", "tgsi/none", "--check"],
    &["tokens", SHADER],
    &["tokens", SHADER, "--encode", "--raw"],
    &["tokens", SHADER, "--encode", "--layout", "1999"],
    &["tokens", SHADER, "--encode", "--layout", "2007", "--annotate"],
    &["tokens", SHADER, "--encode", "--layout", "2016"],
    &["tokens", SHADER, "--encode", "--shader", "0"],
    &["tokens", SHADER, "--encode", "--shader", "9"],
    &["tokens", SHADER, "--encode", "--decode"],
    &["tokens", SHADER, "--decode"],
    &["tokens", "-"],
    &["asm", KERNEL, "--emit", "nothing"],
    &["asm", KERNEL, "--emit", "hex", "--target", "tahiti"],
    &["asm", KERNEL, "--dialect", "clrx"],
    &["asm", KERNEL, "--each-line", "--emit", "hex"],
    &["asm", "gcn/none.s"],
    &["asm", "gcn/object/saxpy_gfx900.co"],
    &["convert", KERNEL],
    &["convert", KERNEL, "--to", "nothing"],
    &["convert", SHADER, "--to", "clrx"],
    &["stats", KERNEL, "--workgroup", "0"],
    &["stats", KERNEL, "--workgroup", "100000"],
    &["stats", KERNEL, "--model", "nothing"],
    &["stats", KERNEL, "--model", "measured", "--profile", "mesa25"],
    &["stats", KERNEL, "--json", "--csv"],
    &["stats", KERNEL, "--live", "--json", "--lines"],
    &["stats", "gcn/object/saxpy_gfx900.co", "--csv"],
    &["stats", "gcn/none.s"],
    &["run", SHADER, "--shader", "0"],
    &["run", SHADER, "--shader", "7"],
    &["run", SHADER, "--inputs", "tgsi/none.toml"],
    &["run", SHADER, "--inputs", SHADER],
    &["run", SHADER, "--engine", "nothing"],
    &["run", "--records", "tgsi/none.jsonl"],
    &["run", SHADER, "--trace"],
    &["disasm", "gcn/object/saxpy_gfx900.co", "--emit", "nothing"],
    &["disasm", KERNEL, "--hex", "--target", "fiji"],
    &["disasm", "gcn/object/saxpy_gfx900.co", "--emit", "listing", "--dialect", "clrx"],
    &["caps", SHADER, "--profile", "nothing"],
    &["caps", SHADER, "--all", "--json"],
    &["compile", SHADER, "--emit", "ir", "--target", "tahiti,vega10"],
    &["compile", SHADER, "--target", "nothing"],
];

#[test]
fn odd_calls() {
    let mut records = table("calls.tsv");
    for call in CALLS {
        records.add(&call.join(" ").replace('/', ":"), "said", &said(call));
    }
    records.check();
}

#[test]
fn faults_in_every_form_of_a_report() {
    let mut records = table("faults.tsv");
    for folder in ["tgsi/faults", "gcn/fault", "tgsi/logs", "gcn/macro"] {
        for format in ["text", "json", "sarif", "github"] {
            records.add(folder, format, &said(&["check", folder, "--format", format]));
        }
    }
    for words in ["DCL", "TEMP", "GENERIC", "2D", "FLT32", "_SAT", "vcc", "s_waitcnt", ".macro"] {
        records.add(words, "explain", &said(&["explain", words]));
    }
    for words in ["PIPE_FORMAT_R32_UINT", "gfx803", "polaris10", "r600", "glc", "VOP3", "MADD", ""]
    {
        records.add(words, "explain", &said(&["explain", words]));
    }
    records.check();
}
