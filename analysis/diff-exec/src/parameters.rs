//! The parameters of a compiled function, and the registers in which they come.
//!
//! Scalar parameters take scalar registers from s0 on, the others vector registers from
//! v0 on, each as many as it has words. Pixels are an exception: of their vector
//! parameters only those come that the compiler asks the hardware for, packed.

use lower::{Bank, EntryPoint};

/// One parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the lowering.
    pub name: String,
    /// The file of its registers.
    pub bank: Bank,
    /// The number of its first register.
    pub first: u16,
    /// The number of its registers.
    pub words: u16,
}

/// The parameters in the order of their registers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters {
    all: Vec<Parameter>,
    /// The number of scalar registers that they take.
    pub scalars: u16,
}

impl Parameters {
    /// Gives the parameters of a function their registers. `pixel_inputs` are the bits of
    /// the vector inputs that a pixel shader is given.
    pub fn of(entry: &EntryPoint, pixel_inputs: Option<u32>) -> Parameters {
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
    pub fn find(&self, name: &str) -> Option<&Parameter> {
        self.all.iter().find(|parameter| parameter.name == name)
    }
}
