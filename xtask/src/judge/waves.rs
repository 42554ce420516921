//! Kernels of our own as LLVM counts their waves: by registers, local data share and the size
//! of the workgroup.

use std::fmt::Write as _;

use super::llvm::Judge;

const HEAD: &str = "\
# Our kernels as LLVM's compiler counts their waves: the chip, threads of a workgroup, registers, bytes of local data share,\n\
# waves per SIMD. Made by `cargo xtask judge`; SOURCES.tsv has the version.\n\
chip\tthreads\tvgprs\tagprs\tsgprs\tlds\twaves\n";

/// A chip of each kind that counts otherwise.
struct Chip {
    name: &'static str,
    /// The most local data share of a workgroup.
    lds: u32,
    /// The registers of a lane.
    file: File,
}

#[derive(Clone, Copy)]
enum File {
    /// 256 vector registers.
    Vector,
    /// 256 vector registers and 256 for accumulation.
    Apart,
    /// 512 for both.
    Shared,
}

impl File {
    /// Tells whether a lane of so many waves has so many registers.
    fn holds(self, waves: u32, vgprs: u32, agprs: u32) -> bool {
        match self {
            File::Vector => agprs == 0 && waves * vgprs <= 256,
            File::Apart => waves * vgprs.max(agprs) <= 256,
            File::Shared => waves * (vgprs.next_multiple_of(4) + agprs).next_multiple_of(8) <= 512,
        }
    }
}

const fn chip(name: &'static str, kibibytes: u32, file: File) -> Chip {
    Chip { name, lds: kibibytes << 10, file }
}

const CHIPS: [Chip; 9] = [
    chip("gfx600", 32, File::Vector),
    chip("gfx700", 64, File::Vector),
    chip("gfx803", 64, File::Vector),
    chip("gfx900", 64, File::Vector),
    chip("gfx906", 64, File::Vector),
    chip("gfx908", 64, File::Apart),
    chip("gfx90a", 64, File::Shared),
    chip("gfx942", 64, File::Shared),
    chip("gfx950", 160, File::Shared),
];
const THREADS: [u32; 9] = [64, 128, 192, 256, 320, 448, 512, 768, 1024];
/// About the edges of granules, and beyond them.
const VGPRS: [u32; 11] = [8, 24, 28, 40, 52, 64, 72, 96, 128, 200, 256];
const SGPRS: [u32; 8] = [8, 40, 56, 72, 84, 90, 98, 100];
const AGPRS: [u32; 4] = [0, 16, 60, 100];
const LDS: [u32; 10] = [0, 512, 1_000, 4_096, 8_192, 10_000, 16_384, 21_800, 32_768, 60_000];
/// Of chips that have so much, with another granule.
const LARGE: u32 = 160 << 10;
const LARGE_LDS: [u32; 10] =
    [0, 512, 1_280, 4_096, 10_240, 16_384, 32_768, 54_000, 81_920, 163_840];
/// The figures of a kernel in the compiler's comments, in their order; LLVM 20 gave one
/// another name.
const FIGURES: [&[&str]; 5] = [
    &["NumVgprs"],
    &["NumAgprs"],
    &["NumSgprs", "TotalNumSgprs"],
    &["LDSByteSize"],
    &["Occupancy"],
];

/// Returns the table, and the number of its rows. A chip is the first judge's that knows it.
pub(crate) fn table(judges: &[Judge]) -> Result<(String, usize), String> {
    let mut text = HEAD.to_owned();
    let mut rows = 0;
    for chip in CHIPS {
        let name = chip.name;
        let known = judges.iter().map(|it| Ok((it, it.knows("-mtriple=amdgcn", name)?)));
        let known = known.collect::<Result<Vec<_>, String>>()?;
        let Some((judge, _)) = known.into_iter().find(|it| it.1) else {
            return Err(format!("no judge knows {name}"));
        };
        let (module, threads) = module(&chip);
        let chip_option = format!("-mcpu={name}");
        let arguments = ["-mtriple=amdgcn-mesa-mesa3d", &chip_option, "-o", "-"];
        let (printed, complaints) = judge.bytes_of(&arguments, &module)?;
        let printed = String::from_utf8_lossy(&printed);
        // The figures of a kernel stand behind it; the waves are the last of them.
        let kernels: Vec<&str> = printed.split_inclusive("; Occupancy: ").collect();
        if kernels.len() != threads.len() + 1 {
            return Err(format!(
                "{name}: {} kernels of {}: {complaints}",
                kernels.len(),
                threads.len()
            ));
        }
        for (number, threads) in threads.iter().enumerate() {
            let behind = kernels[number + 1].lines().next().unwrap_or_default();
            let own = format!("{}{behind}\n", kernels[number]);
            let [vgprs, agprs, sgprs, lds, waves] = FIGURES.map(|names| figure(&own, names));
            let _ = writeln!(text, "{name}\t{threads}\t{vgprs}\t{agprs}\t{sgprs}\t{lds}\t{waves}");
            rows += 1;
        }
    }
    Ok((text, rows))
}

/// A figure by one of its names; 0 where the chip has none of it.
fn figure(text: &str, names: &[&str]) -> u32 {
    let behind = |name: &&str| Some(text.rsplit_once(&format!("; {name}: "))?.1);
    let behind = names.iter().find_map(behind).unwrap_or_default();
    let digits = behind.split(|it: char| !it.is_ascii_digit()).next();
    digits.and_then(|it| it.parse().ok()).unwrap_or(0)
}

/// Returns the kernels for a chip in LLVM's language, and the threads of a workgroup of each.
fn module(chip: &Chip) -> (String, Vec<u32>) {
    let mut text = String::new();
    let mut all = Vec::new();
    for threads in THREADS {
        let waves = threads.div_ceil(256);
        // A workgroup has to fit.
        for vgprs in VGPRS.into_iter().filter(|it| chip.file.holds(waves, *it, 0)) {
            let number = all.len();
            let lds = match chip.lds {
                LARGE.. => LARGE_LDS[number * 7 % LARGE_LDS.len()],
                most => LDS[number * 7 % LDS.len()].min(most),
            };
            let sgprs = SGPRS[number * 5 % SGPRS.len()];
            let agprs = AGPRS[number * 3 % AGPRS.len()];
            let mut registers = format!("~{{v{}}},~{{s{}}}", vgprs - 1, sgprs - 1);
            if agprs > 0 && chip.file.holds(waves, vgprs, agprs) {
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
