//! The parameters of a compiled function, and the registers in which they come.
//!
//! Scalar parameters take scalar registers from s0 on, the others vector registers from
//! v0 on, each as many as it has words. Pixels are an exception: of their vector
//! parameters only those come that the compiler asks the hardware for, packed.

use lower::{Bank, EntryPoint};

/// One parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name in the lowering.
    pub(crate) name: String,
    pub(crate) bank: Bank,
    /// The number of its first register.
    pub(crate) first: u16,
    pub(crate) words: u16,
}

/// The parameters in the order of their registers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parameters {
    all: Vec<Parameter>,
    /// The number of scalar registers that they take.
    pub(crate) scalars: u16,
}

impl Parameters {
    /// Gives the parameters of a function their registers. `pixel_inputs` are the bits of
    /// the vector inputs that a pixel shader is given.
    pub(crate) fn of(entry: &EntryPoint, pixel_inputs: Option<u32>) -> Parameters {
        let mut found = Parameters::default();
        let (mut vectors, mut input) = (0, 0);
        for parameter in &entry.parameters {
            let words = parameter.words();
            let count = match parameter.bank {
                Bank::Scalar => &mut found.scalars,
                Bank::Vector => {
                    input += 1;
                    if pixel_inputs.is_some_and(|bits| bits >> (input - 1) & 1 == 0) {
                        continue;
                    }
                    &mut vectors
                }
            };
            let (name, bank, first) = (parameter.name.clone(), parameter.bank, *count);
            *count += words;
            found.all.push(Parameter { name, bank, first, words });
        }
        found
    }

    /// Returns the parameter of a name, where there is one.
    pub(crate) fn find(&self, name: &str) -> Option<&Parameter> {
        self.all.iter().find(|parameter| parameter.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_follow_the_words() {
        let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                    MOV OUT[0], IN[0]\nEND\n";
        let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
        let module = lower::lower(&shader, lower::Generation::Gfx8).expect("it is lowered");
        let found = Parameters::of(&module.entry, Some(0b1_0000_1010));
        let place = |name| found.find(name).map(|it| (it.bank, it.first, it.words));
        assert_eq!(place("rw_buffers"), Some((Bank::Scalar, 0, 1)));
        assert_eq!(place("primitive_mask"), Some((Bank::Scalar, 5, 1)));
        assert_eq!(place("perspective_sample"), None);
        assert_eq!(place("perspective_center"), Some((Bank::Vector, 0, 2)));
        assert_eq!(place("perspective_pull_model"), Some((Bank::Vector, 2, 3)));
        assert_eq!(place("position_x"), Some((Bank::Vector, 5, 1)));
        assert_eq!(found.scalars, 6);
    }
}
