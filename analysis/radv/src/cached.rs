//! Machine code in the data of a pipeline cache, which holds it on every chip, even where
//! the driver has no disassembler.

use crate::Executable;

/// The first of the figures that stand before the code, in the order in which they are told.
const FIRST: &str = "Hash";
/// The figure of the bytes of code.
const BYTES: &str = "Code size";
/// Words from a shader's sizes to its figures, at most: more than twice what was seen.
const REACH: usize = 64;
/// Words of the sizes: of all code, of what is executed, of two texts, of the figures; newer
/// versions have one more, of debug records, which are not asked for.
const SIZES: [usize; 2] = [6, 5];
/// Padding between figures and code, in words, at most.
const PADDING: usize = 4;
/// The last word of every program, `s_endpgm`: up to GFX10, and from GFX11 on.
const ENDS: [u32; 2] = [0xbf81_0000, 0xbfb0_0000];

/// Finds the code of an executable in a cache's data, and the constants that follow it.
///
/// The driver writes for each shader its sizes, its figures and its code
/// (`radv_shader_binary_legacy` of Mesa 22.3 to 26.2). The figures are those that the
/// executable tells, so the place is certain; `None` where nothing fits.
pub(crate) fn code(data: &[u8], executable: &Executable) -> Option<(Vec<u32>, Vec<u32>)> {
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
    (figures.saturating_sub(REACH)..figures).rev().find_map(|at| {
        let (all, executed, own) = (*words.get(at)?, *words.get(at + 1)?, *words.get(at + 4)?);
        if executed as usize != bytes || own % 4 != 0 {
            return None;
        }
        SIZES.into_iter().find_map(|sizes| {
            let begin = at + sizes + own as usize / 4;
            let end = begin + bytes / 4;
            let code = words.get(begin..end)?;
            let constants = words.get(end..begin + all as usize / 4).unwrap_or_default();
            let fits = at + sizes <= figures && (behind..=behind + PADDING).contains(&begin);
            (fits && ENDS.contains(code.last()?)).then(|| (code.to_vec(), constants.to_vec()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executable(figures: &[(&str, u64)]) -> Executable {
        let figures = figures.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let (name, texts) = (String::new(), Vec::new());
        let (code, constants) = (Vec::new(), Vec::new());
        Executable { name, stages: 1, lanes: 64, figures, code, constants, texts }
    }

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    #[test]
    fn code_stands_behind_the_figures_that_are_told() {
        let told = [("SGPRs", 8), ("Code size", 8), ("Hash", 0xabcd), ("Instructions", 2)];
        // As Mesa 22.3 has it, and with padding on both sides of the figures and after the code.
        let plain = [9, 8, 8, 0, 0, 8, 0xabcd, 2, 0xbf80_0000, 0xbf81_0000, 7];
        let padded = [12, 8, 0, 0, 20, 0, 0, 0, 0xabcd, 2, 0, 0xbf80_0000, 0xbf81_0000, 0];
        for (words, after) in [(&plain[..], &[][..]), (&padded, &[0])] {
            let found = code(&bytes(words), &executable(&told));
            assert_eq!(found, Some((vec![0xbf80_0000, 0xbf81_0000], after.to_vec())));
        }
        // Two words of constants after eight bytes that are executed.
        let with_data = [9, 16, 8, 0, 0, 8, 0xabcd, 2, 0xbf80_0000, 0xbf81_0000, 7, 5];
        let found = code(&bytes(&with_data), &executable(&told));
        assert_eq!(found, Some((vec![0xbf80_0000, 0xbf81_0000], vec![7, 5])));
        // Of another shader, of another size, cut off, without figures.
        let other = [("Code size", 8), ("Hash", 0xabce), ("Instructions", 2)];
        assert_eq!(code(&bytes(&plain), &executable(&other)), None);
        let larger = [("Code size", 12), ("Hash", 0xabcd), ("Instructions", 2)];
        assert_eq!(code(&bytes(&plain), &executable(&larger)), None);
        assert_eq!(code(&bytes(&plain[..9]), &executable(&told)), None);
        assert_eq!(code(&bytes(&plain), &executable(&told[..2])), None);
    }
}
