//! Machine code in the data of a pipeline cache, which holds it on every chip, even where
//! the driver has no disassembler.

use crate::Executable;

/// The first of the figures that stand before the code, in the order in which they are told.
const FIRST: &str = "Hash";
/// The figure of the bytes of code.
const BYTES: &str = "Code size";
/// Words from a shader's sizes to its figures, at most: more than twice what was seen.
const REACH: usize = 64;
/// Words of the sizes: of all code, of what is executed, of two texts, of the figures.
const SIZES: usize = 5;

/// Finds the code of an executable in a cache's data.
///
/// The driver writes for each shader its sizes, its figures and its code
/// (`radv_shader_binary_legacy` of Mesa 22.3 to 26.2). The figures are those that the
/// executable tells, so the place is certain; `None` where nothing fits.
pub(crate) fn code(data: &[u8], executable: &Executable) -> Option<Vec<u32>> {
    let words: Vec<u32> = data.as_chunks().0.iter().map(|it| u32::from_le_bytes(*it)).collect();
    let bytes = usize::try_from(executable.figure(BYTES)?).ok().filter(|it| it % 4 == 0)?;
    let told: Vec<u32> = executable
        .figures
        .iter()
        .skip_while(|figure| figure.0 != FIRST)
        .map(|figure| u32::try_from(figure.1).ok())
        .collect::<Option<_>>()?;
    if told.len() < 2 {
        return None;
    }
    let mut places = words.windows(told.len()).enumerate().filter(|it| it.1 == told);
    let (figures, _) = places.next()?;
    let behind = figures + told.len();
    let begin = (figures.saturating_sub(REACH)..figures).rev().find_map(|sizes| {
        let [_, executed, _, _, own] = *words.get(sizes..sizes + SIZES)? else { return None };
        let begin = sizes + SIZES + own as usize / 4;
        let fits = executed as usize == bytes && own % 4 == 0;
        (fits && sizes + SIZES <= figures && (behind..behind + SIZES).contains(&begin))
            .then_some(begin)
    })?;
    words.get(begin..begin + bytes / 4).map(<[u32]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executable(figures: &[(&str, u64)]) -> Executable {
        let figures = figures.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let (name, code, texts) = (String::new(), Vec::new(), Vec::new());
        Executable { name, stages: 1, lanes: 64, figures, code, texts }
    }

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    #[test]
    fn code_stands_behind_the_figures_that_are_told() {
        let told = [("SGPRs", 8), ("Code size", 8), ("Hash", 0xabcd), ("Instructions", 2)];
        // As Mesa 22.3 has it, and with padding on both sides of the figures.
        let plain = [9, 8, 8, 0, 0, 8, 0xabcd, 2, 0xbf80_0000, 0xbf81_0000, 7];
        let padded = [12, 8, 0, 0, 20, 0, 0, 0xabcd, 2, 0, 0xbf80_0000, 0xbf81_0000, 0];
        for words in [&plain[..], &padded] {
            let found = code(&bytes(words), &executable(&told));
            assert_eq!(found, Some(vec![0xbf80_0000, 0xbf81_0000]));
        }
        // Of another shader, of another size, cut off, without figures.
        let other = [("Code size", 8), ("Hash", 0xabce), ("Instructions", 2)];
        assert_eq!(code(&bytes(&plain), &executable(&other)), None);
        let larger = [("Code size", 12), ("Hash", 0xabcd), ("Instructions", 2)];
        assert_eq!(code(&bytes(&plain), &executable(&larger)), None);
        assert_eq!(code(&bytes(&plain[..9]), &executable(&told)), None);
        assert_eq!(code(&bytes(&plain), &executable(&told[..2])), None);
    }
}
