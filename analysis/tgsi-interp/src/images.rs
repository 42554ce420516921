//! Images as a shader declares them: targets, and the components that their formats do not store.

use tgsi::ast::{IndexRange, Register, Shader};
use tgsi::formats::Format;
use tgsi::words::{File, TextureTarget};

/// The bits that each component reads as, where the format does not store it.
pub type Absent = [Option<u32>; 4];

/// A declaration of images.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredImages {
    /// Their numbers.
    pub numbers: IndexRange,
    /// Their target.
    pub target: TextureTarget,
    /// Their format: that of the declaration, else that of the first instruction that names one of
    /// them. `None` where it is not known.
    pub format: Option<&'static Format>,
    /// The components that their format does not store.
    pub absent: Absent,
}

impl DeclaredImages {
    /// The declarations of a shader, in their order.
    pub fn all(shader: &Shader) -> Vec<DeclaredImages> {
        let declared = shader.declarations().filter(|own| own.file.value == File::Image);
        declared
            .filter_map(|own| {
                let image = own.image.as_ref()?;
                let numbers = own.range.value;
                let format = match &image.format {
                    Some(format) => Some(format.value.as_str()),
                    None => format_of_access(shader, numbers),
                };
                let format = format.and_then(tgsi::formats::find);
                let absent = format.map(Format::absent).unwrap_or_default();
                Some(DeclaredImages { numbers, target: image.target.value, format, absent })
            })
            .collect()
    }
}

/// The format of the first instruction that names one of some images.
fn format_of_access(shader: &Shader, numbers: IndexRange) -> Option<&str> {
    let names = |register: &Register| {
        register.file == File::Image
            && register.number().is_some_and(|number| numbers.contains(number))
    };
    let mut accesses = shader.instructions().filter(|it| it.registers().any(names));
    accesses.find_map(|access| Some(access.format.as_ref()?.value.as_str()))
}
