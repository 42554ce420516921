use super::*;

fn parsed(text: &str) -> crate::ast::Shader {
    crate::parser::parse(text, &source::no_checkpoint).shader.unwrap()
}
