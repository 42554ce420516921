//! The words of the server.

use tgsi::Stage;
use vrend::printed::{read, version};

const OLD: &str = "gl_version 30 - es profile enabled\n\
    Mesa: User error: GL_INVALID_VALUE in glTexImage2D(internalFormat=GL_ALPHA8)\n\
    GLSL source for vertex shader 1:\n#version 300 es\nvoid main(void)\n{\n}\n\n\
    GLSL source for fragment shader 2:\n#version 300 es\ndvec2 a;\n\n\
    vrend_compile_shader: context error reported 1 \"tungsten\" Illegal shader 0\n\
    shader failed to compile\n0:2(1): error: illegal use of reserved word `dvec2'\n\n\
    fs: 2 GLSL:\n   1: #version 300 es\n";
const NEW: &str = "Mesa: info: GLSL source for fragment shader 2:\n\
    Mesa: info: #version 300 es\ndvec2 a;\n\
    vrend_compile_shader: context error reported 1 \"tungsten\" Illegal shader 0\n\
    Shader failed to compile\n0:2(1): error: illegal use of reserved word `dvec2'\n\n";

#[test]
fn shaders_and_the_complaint_about_the_last_are_read() {
    assert_eq!(version(OLD), Some(30));
    for (log, count) in [(OLD, 2), (NEW, 1)] {
        let printed = read(log);
        assert_eq!(printed.compiled.len(), count, "{printed:?}");
        let last = printed.compiled.last().unwrap();
        assert_eq!(
            (last.stage, last.glsl.as_str()),
            (Stage::Fragment, "#version 300 es\ndvec2 a;\n")
        );
        let complaint = "0:2(1): error: illegal use of reserved word `dvec2'\n";
        assert_eq!(last.complaint.as_deref(), Some(complaint));
        assert_eq!(printed.other.len(), 1);
    }
    assert_eq!(read(OLD).compiled[0].complaint, None);
}
