//! Worker processes: their sandbox, their messages, and where libraries are looked for.

#[cfg(target_os = "linux")]
mod confinement;
mod enclosed;
#[cfg(target_os = "linux")]
mod enclosing;
#[cfg(target_os = "linux")]
mod ending;
mod folders;
mod protocol;
