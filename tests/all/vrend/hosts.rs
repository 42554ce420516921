//! The hosts that are imitated.

use vrend::hosts::{VERSIONS, core};
use vrend::{Host, HostError};

#[test]
fn a_host_is_found_again_by_its_name() {
    for name in ["gl33", "gles31-GL_OES_shader_image_atomic", "gl40-GL_A-GL_B+GL_C"] {
        assert_eq!(name.parse::<Host>().unwrap().to_string(), name);
    }
    let host: Host = "gles31-GL_EXT_a".parse().unwrap();
    assert_eq!(host.title(), "OpenGL ES 3.1 without GL_EXT_a");
    assert!("gl34".parse::<Host>().unwrap_err().to_string().contains("gl33, gl40"));
    for wrong in ["gl33-", "gl33-ARB_x", "gl33-GL_x y", "gl33-GL_a;b"] {
        assert!(matches!(wrong.parse::<Host>(), Err(HostError::Extension(_))), "{wrong}");
    }
}

#[test]
fn a_host_lacks_what_later_versions_brought() {
    let of = |name: &str| name.parse::<Host>().unwrap();
    let hidden = |name: &str, extension: &str| of(name).hidden().contains(&extension);
    let doubles = "GL_ARB_gpu_shader_fp64";
    assert!(hidden("gl33", doubles) && !hidden("gl40", doubles));
    assert!(!hidden("gl33+GL_ARB_gpu_shader_fp64", doubles));
    assert!(hidden("gl45-GL_ARB_gpu_shader_fp64", doubles));
    assert!(of("gl46").hidden().is_empty() && of("gles32").hidden().is_empty());
    assert!(hidden("gles31", "GL_EXT_geometry_shader"));
    assert!(!hidden("gles31", doubles));
}

#[test]
fn every_row_of_the_table_is_read() {
    let rows = include_str!("../../../analysis/vrend/data/core_extensions.tsv").lines();
    let rows: Vec<&str> = rows.filter(|row| !row.starts_with('#')).skip(1).collect();
    assert_eq!(core().count(), rows.len());
    for row in core() {
        assert!(row.extension.starts_with("GL_"), "{}", row.extension);
        assert!(VERSIONS.contains(&(row.api, row.version)), "{}", row.extension);
    }
    for row in rows {
        assert_eq!(row.split('\t').count(), 3, "{row}");
    }
}
