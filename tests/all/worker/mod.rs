//! Worker processes: their sandbox, their messages, and where libraries are looked for.

#[cfg(target_os = "linux")]
mod confinement;
mod folders;
mod protocol;
