//! The parameters of a compiled function, and the registers in which they come.
//!
//! Scalar parameters take scalar registers from s0 on, the others vector registers from
//! v0 on, each as many as it has words. Pixels are an exception: of their vector
//! parameters only those come that the compiler asks the hardware for, packed.

/// The register file in which a parameter comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bank {
    Scalar,
    Vector,
}

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

fn words(ty: &str) -> u16 {
    ty.strip_prefix('<').and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap_or(1)
}

impl Parameters {
    /// Reads the definition of the function in the lowering's text. `pixel_inputs` are
    /// the bits of the vector inputs that a pixel shader is given.
    ///
    /// # Errors
    /// A sentence, where there is no definition.
    pub(crate) fn read(ir: &str, pixel_inputs: Option<u32>) -> Result<Parameters, String> {
        let definition = ir
            .lines()
            .find(|line| line.starts_with("define "))
            .ok_or("the lowered text defines no function")?;
        let list = definition
            .split_once("@main(")
            .and_then(|(_, rest)| rest.split_once(") #0"))
            .map(|(list, _)| list)
            .ok_or("the function has no parameters")?;
        let mut found = Parameters::default();
        let (mut vectors, mut input) = (0, 0);
        for text in list.split(", ") {
            let Some((ty, name)) = text.split_once(" %").map(|(ty, name)| (ty, name.to_owned()))
            else {
                continue;
            };
            let words = words(ty);
            // Of vectors the count and the type have a blank between them.
            let scalar = ty.contains("inreg");
            if scalar {
                let first = found.scalars;
                found.all.push(Parameter { name, bank: Bank::Scalar, first, words });
                found.scalars += words;
                continue;
            }
            let inputs = pixel_inputs.is_none_or(|bits| bits >> input & 1 == 1);
            input += 1;
            if inputs {
                found.all.push(Parameter { name, bank: Bank::Vector, first: vectors, words });
                vectors += words;
            }
        }
        Ok(found)
    }

    /// The parameter of a name, where there is one.
    pub(crate) fn find(&self, name: &str) -> Option<&Parameter> {
        self.all.iter().find(|parameter| parameter.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_follow_the_words() {
        let ir = "define amdgpu_ps void @main(ptr addrspace(6) inreg noalias %list, \
                  <3 x i32> inreg %grid, float inreg %alpha, <2 x float> %a, <3 x float> %b, \
                  i32 %c) #0 !dbg !5 {";
        let found = Parameters::read(ir, Some(0b101)).expect("a definition");
        let place = |name| found.find(name).map(|it| (it.bank, it.first, it.words));
        assert_eq!(place("list"), Some((Bank::Scalar, 0, 1)));
        assert_eq!(place("grid"), Some((Bank::Scalar, 1, 3)));
        assert_eq!(place("alpha"), Some((Bank::Scalar, 4, 1)));
        assert_eq!(place("a"), Some((Bank::Vector, 0, 2)));
        assert_eq!(place("b"), None);
        assert_eq!(place("c"), Some((Bank::Vector, 2, 1)));
        assert_eq!(found.scalars, 5);
    }
}
