//! Readers of input from outside the server, damaged at random: files of inputs, settings,
//! frames.

use tests::checks::readers::{
    damaged_frames_are_answered, damaged_inputs_are_read, damaged_settings_are_read,
};
use tests::corpus;

/// The time of each search unless more is asked for.
const SECONDS: f64 = 2.0;

#[test]
fn damaged_files_of_inputs_are_read() {
    damaged_inputs_are_read(corpus::inputs(), SECONDS);
}

#[test]
fn damaged_settings_of_projects_and_editors_are_read() {
    damaged_settings_are_read(SECONDS);
}

#[test]
fn damaged_frames_of_clients_are_answered() {
    damaged_frames_are_answered(SECONDS);
}
