//! Kernels of our own as LLVM counts their waves: by registers, local data share and the size
//! of the workgroup.

use std::fmt::Write as _;

use super::llvm::Judge;

const HEAD: &str = "\
# Our kernels as LLVM's compiler counts their waves: the chip, threads of a workgroup, registers, bytes of local data share,\n\
# waves per SIMD. Made by `cargo xtask judge`; SOURCES.tsv has the version.\n\
chip\tthreads\tvgprs\tagprs\tsgprs\tlds\twaves\n";

/// A chip of each kind that counts otherwise, and the most local data share of a workgroup.
const CHIPS: [(&str, u32); 6] = [
    ("gfx600", 32 << 10),
    ("gfx700", 64 << 10),
    ("gfx803", 64 << 10),
    ("gfx900", 64 << 10),
    ("gfx906", 64 << 10),
    ("gfx908", 64 << 10),
];
const THREADS: [u32; 9] = [64, 128, 192, 256, 320, 448, 512, 768, 1024];
/// About the edges of granules, and beyond them.
const VGPRS: [u32; 11] = [8, 24, 28, 40, 52, 64, 72, 96, 128, 200, 256];
const SGPRS: [u32; 8] = [8, 40, 56, 72, 84, 90, 98, 100];
const AGPRS: [u32; 4] = [0, 16, 60, 100];
const LDS: [u32; 10] = [0, 512, 1_000, 4_096, 8_192, 10_000, 16_384, 21_800, 32_768, 60_000];
/// The figures of a kernel in the compiler's comments, in their order.
const FIGURES: [&str; 5] = ["NumVgprs", "NumAgprs", "NumSgprs", "LDSByteSize", "Occupancy"];

/// Returns the table, and the number of its rows.
pub(crate) fn table(judge: &Judge) -> Result<(String, usize), String> {
    let mut text = HEAD.to_owned();
    let mut rows = 0;
    for (chip, most) in CHIPS {
        let (module, threads) = module(chip, most);
        let chip_option = format!("-mcpu={chip}");
        let arguments = ["-mtriple=amdgcn-mesa-mesa3d", &chip_option, "-o", "-"];
        let (printed, complaints) = judge.bytes_of(&arguments, &module)?;
        let printed = String::from_utf8_lossy(&printed);
        // The figures of a kernel stand behind it; the waves are the last of them.
        let kernels: Vec<&str> = printed.split_inclusive("; Occupancy: ").collect();
        if kernels.len() != threads.len() + 1 {
            return Err(format!(
                "{chip}: {} kernels of {}: {complaints}",
                kernels.len(),
                threads.len()
            ));
        }
        for (number, threads) in threads.iter().enumerate() {
            let behind = kernels[number + 1].lines().next().unwrap_or_default();
            let own = format!("{}{behind}\n", kernels[number]);
            let [vgprs, agprs, sgprs, lds, waves] = FIGURES.map(|name| figure(&own, name));
            let _ = writeln!(text, "{chip}\t{threads}\t{vgprs}\t{agprs}\t{sgprs}\t{lds}\t{waves}");
            rows += 1;
        }
    }
    Ok((text, rows))
}

/// A figure by its name; 0 where the chip has none of it.
fn figure(text: &str, name: &str) -> u32 {
    let behind = text.rsplit_once(&format!("; {name}: ")).map_or("", |(_, behind)| behind);
    let digits = behind.split(|it: char| !it.is_ascii_digit()).next();
    digits.and_then(|it| it.parse().ok()).unwrap_or(0)
}

/// Returns the kernels for a chip in LLVM's language, and the threads of a workgroup of each.
fn module(chip: &str, most_lds: u32) -> (String, Vec<u32>) {
    let mut text = String::new();
    let mut all = Vec::new();
    let matrices = chip == "gfx908";
    for threads in THREADS {
        // A workgroup has to fit.
        for vgprs in VGPRS.into_iter().filter(|it| it * threads.div_ceil(256) <= 256) {
            let number = all.len();
            let lds = LDS[number * 7 % LDS.len()].min(most_lds);
            let sgprs = SGPRS[number * 5 % SGPRS.len()];
            let agprs = AGPRS[number * 3 % AGPRS.len()];
            let mut registers = format!("~{{v{}}},~{{s{}}}", vgprs - 1, sgprs - 1);
            if matrices && agprs > 0 && agprs * threads.div_ceil(256) <= 256 {
                let _ = write!(registers, ",~{{a{}}}", agprs - 1);
            }
            let mut store = String::new();
            if lds > 0 {
                let _ =
                    writeln!(text, "@l{number} = internal addrspace(3) global [{lds} x i8] undef");
                store = format!("  store volatile i8 1, ptr addrspace(3) @l{number}\n");
            }
            let _ = writeln!(
                text,
                "define amdgpu_kernel void @k{number}() #{number} {{\n{store}  \
                 call void asm sideeffect \"\", \"{registers}\"()\n  ret void\n}}\n\
                 attributes #{number} = {{ nounwind \"amdgpu-flat-work-group-size\"=\"{threads},{threads}\" }}"
            );
            all.push(threads);
        }
    }
    (text, all)
}
