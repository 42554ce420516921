// The settings that the server reads, by their first words.
// Made of `server/src/settings/table.rs` by its tests.

export const serverSettings = [
    "targets",
    "compilers",
    "compile",
    "host",
    "profile",
    "tgsi",
    "allow",
    "severity",
    "exclude",
    "format",
    "inlayHints",
    "run",
    "assembly",
    "environment",
    "advice",
    "budget",
] as const;
