//! Relocations: the places in code that a linker fills, which a listing names.

use object::LittleEndian as Le;
use object::elf::{self, Sym64};
use object::read::SectionIndex;
use object::read::elf::{SectionHeader as _, Sym as _};

use super::{Code, Elf, LONGEST_NAME, Mark, MarkKind, is_name, name_at};

impl<'a> Elf<'a> {
    /// Adds the places that a linker fills.
    pub(super) fn add_relocations(&self, sections: &[SectionIndex], codes: &mut [Code<'a>]) {
        let Some((symbols, names)) = self.symbols(elf::SHT_SYMTAB) else { return };
        // Tables and names may overlap: what is copied is bounded by the file.
        let mut budget = self.bytes.len();
        for section in self.sections.iter() {
            let of = SectionIndex(section.sh_info(Le) as usize);
            let Ok(place) = sections.binary_search_by_key(&of.0, |it| it.0) else { continue };
            let Ok(Some((rows, _))) = section.rela(Le, self.bytes) else { continue };
            for row in rows {
                let Ok(offset) = usize::try_from(row.r_offset.get(Le)) else { continue };
                let symbol = symbols.get(row.r_sym(Le, false) as usize);
                let name = symbol.and_then(|it| self.name_of(it, names)).unwrap_or_default();
                let what = relocation(row.r_type(Le, false).0, &name, row.r_addend.get(Le));
                let Some(left) = budget.checked_sub(what.len()) else { return };
                budget = left;
                if offset < codes[place].bytes.len() {
                    codes[place].marks.push(Mark { offset, kind: MarkKind::Relocation(what) });
                }
            }
        }
    }

    /// Returns the name of a symbol, or of the section that it stands for.
    fn name_of(&self, symbol: &Sym64<Le>, names: &[u8]) -> Option<String> {
        let name = if symbol.st_type() == elf::STT_SECTION {
            let section = self.sections.section(SectionIndex(symbol.st_shndx(Le).0.into()));
            let name = self.sections.section_name(Le, section.ok()?).ok()?;
            String::from_utf8_lossy(name.get(..LONGEST_NAME).unwrap_or(name)).into_owned()
        } else {
            name_at(names, symbol.st_name(Le))?
        };
        is_name(&name).then_some(name)
    }
}

/// The kinds of relocations, by their number (LLVM AMDGPUUsage, "Relocation Records").
const RELOCATIONS: [&str; 15] = [
    "NONE",
    "ABS32_LO",
    "ABS32_HI",
    "ABS64",
    "REL32",
    "REL64",
    "ABS32",
    "GOTPCREL",
    "GOTPCREL32_LO",
    "GOTPCREL32_HI",
    "REL32_LO",
    "REL32_HI",
    "12",
    "RELATIVE64",
    "REL16",
];

/// Says what a linker puts into a place.
fn relocation(kind: u32, name: &str, addend: i64) -> String {
    let name = if name.is_empty() { "nothing that has a name" } else { name };
    let known = RELOCATIONS.get(kind as usize);
    let kind = known.map_or_else(|| kind.to_string(), |it| (*it).to_owned());
    match addend {
        0 => format!("R_AMDGPU_{kind} {name}"),
        _ => format!("R_AMDGPU_{kind} {name}{addend:+}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_their_names() {
        assert_eq!(relocation(10, "table", 4), "R_AMDGPU_REL32_LO table+4");
        assert_eq!(relocation(11, "table", 0), "R_AMDGPU_REL32_HI table");
        assert_eq!(relocation(14, "", -8), "R_AMDGPU_REL16 nothing that has a name-8");
        assert_eq!(relocation(99, "table", 0), "R_AMDGPU_99 table");
    }
}
