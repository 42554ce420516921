//! Descriptors of kernels and data of unusual sizes: the bytes are those of LLVM's
//! assembler, where it is installed.

use gcn::Target;
use gcn::program::{Options, Program, assemble};

use crate::server::folder::Folder;
use tests::tools::llvm;

fn read(text: &str, target: Target) -> Program {
    let options = Options { target: Some(target), ..Options::of(text, "") };
    let program = assemble(text, &options, &|_| None, &|| ());
    let found: Vec<_> = program.diagnostics.iter().map(|it| &it.message).collect();
    assert!(found.is_empty(), "{}: {found:?}\n{text}", target.name());
    program
}

/// The bytes of a section, all of which are known.
fn section(program: &Program, name: &str) -> Vec<u8> {
    let index = program.expansion.sections.iter().position(|it| &*it.name == name);
    let image = program.image(index.unwrap() as u32);
    assert!(image.complete);
    image.bytes
}

/// The bytes of a section, and of the whole object, as LLVM's tools make them.
fn of_llvm(text: &str, target: Target, name: &str) -> (Vec<u8>, Vec<u8>) {
    let folder = Folder::new("descriptors");
    let path = folder.path();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = std::process::Command::new(llvm(program));
        let out = command.args(arguments).current_dir(path).output().expect(program);
        assert!(out.status.success(), "{}\n{text}", String::from_utf8_lossy(&out.stderr));
    };
    std::fs::write(path.join("k.s"), text).unwrap();
    let cpu = format!("-mcpu={}", target.row().processor);
    let only = format!("--only-section={name}");
    let assembler = ["-triple=amdgcn-amd-amdhsa", &cpu, "-filetype=obj", "k.s", "-o", "k.o"];
    run("llvm-mc", &assembler);
    run("llvm-objcopy", &["-O", "binary", &only, "k.o", "k.bin"]);
    let [section, object] = ["k.bin", "k.o"].map(|it| std::fs::read(path.join(it)).unwrap());
    (section, object)
}

fn descriptor(fields: &str) -> String {
    format!(
        ".text\nk:\n\ts_endpgm\n.section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n\
         {fields}.end_amdhsa_kernel\n"
    )
}

/// A number from 0 up to and without `below`, different for each line.
fn any(line: usize, below: usize) -> usize {
    ((line * 2_654_435_761) >> 7) % below
}

#[test]
#[cfg_attr(no_llvm_mc, ignore = "no llvm-mc and llvm-objcopy on this machine")]
fn descriptors_have_llvms_bytes() {
    const FLAGS: [&str; 23] = [
        "user_sgpr_private_segment_buffer",
        "user_sgpr_dispatch_ptr",
        "user_sgpr_queue_ptr",
        "user_sgpr_kernarg_segment_ptr",
        "user_sgpr_dispatch_id",
        "user_sgpr_flat_scratch_init",
        "user_sgpr_private_segment_size",
        "system_sgpr_private_segment_wavefront_offset",
        "system_sgpr_workgroup_id_x",
        "system_sgpr_workgroup_id_y",
        "system_sgpr_workgroup_id_z",
        "system_sgpr_workgroup_info",
        "dx10_clamp",
        "ieee_mode",
        "exception_fp_ieee_invalid_op",
        "exception_fp_denorm_src",
        "exception_fp_ieee_div_zero",
        "exception_fp_ieee_overflow",
        "exception_fp_ieee_underflow",
        "exception_fp_ieee_inexact",
        "exception_int_div_zero",
        "reserve_vcc",
        "reserve_flat_scratch",
    ];
    const NUMBERS: [(&str, usize); 8] = [
        ("group_segment_fixed_size", 65536),
        ("private_segment_fixed_size", 4096),
        ("kernarg_size", 256),
        ("system_vgpr_workitem_id", 3),
        ("float_round_mode_32", 4),
        ("float_round_mode_16_64", 4),
        ("float_denorm_mode_32", 4),
        ("float_denorm_mode_16_64", 4),
    ];
    let mut compared = 0;
    for (name, chip) in
        ["gfx600", "gfx700", "gfx801", "gfx802", "gfx803", "gfx900", "gfx906"].iter().zip(1..)
    {
        let target = Target::find(name).unwrap();
        for case in 0..12 {
            let line = chip * 100 + case;
            let mut fields = format!(
                "\t.amdhsa_next_free_vgpr {}\n\t.amdhsa_next_free_sgpr {}\n",
                any(line, 257),
                any(line + 7, 91)
            );
            let has = |flag: &str| match flag {
                "reserve_flat_scratch" => *name >= "gfx700",
                _ => true,
            };
            for (index, flag) in FLAGS.iter().filter(|it| has(it)).enumerate() {
                // The first case says nothing more.
                if case > 0 && any(line * 31 + index, 3) == 0 {
                    let value = any(line * 17 + index, 2);
                    fields.push_str(&format!("\t.amdhsa_{flag} {value}\n"));
                }
            }
            for (index, (field, below)) in NUMBERS.iter().enumerate() {
                if case > 0 && any(line * 13 + index, 2) == 0 {
                    fields.push_str(&format!("\t.amdhsa_{field} {}\n", any(line + index, *below)));
                }
            }
            if *name >= "gfx900" && case % 3 == 1 {
                fields.push_str("\t.amdhsa_fp16_overflow 1\n");
            }
            if case % 7 == 6 {
                fields.push_str("\t.amdhsa_user_sgpr_count 16\n");
            }
            let text = descriptor(&fields);
            let (theirs, object) = of_llvm(&text, target, ".rodata");
            assert_eq!(section(&read(&text, target), ".rodata"), theirs, "{name}\n{text}");
            // The listing of the object has the descriptor too, in other words.
            let listing = gcn::object::listing(&object, Some(target)).unwrap().text();
            assert!(listing.contains("\t.amdhsa_kernel k\n"), "{listing}");
            assert_eq!(section(&read(&listing, target), ".rodata"), theirs, "{name}\n{listing}");
            compared += 1;
        }
    }
    eprintln!("{compared} descriptors with the same bytes");
}

#[test]
fn a_descriptor_is_sixty_four_bytes() {
    let text = descriptor("\t.amdhsa_next_free_vgpr 4\n\t.amdhsa_next_free_sgpr 8\n");
    let bytes = section(&read(&text, Target::find("gfx900").unwrap()), ".rodata");
    let mut expected = [0; 64];
    // As llvm-mc 19 writes it.
    expected[48..56].copy_from_slice(&[0x40, 0x00, 0xac, 0x00, 0x80, 0x00, 0x00, 0x00]);
    assert_eq!(bytes, expected);
}

#[test]
#[cfg_attr(no_llvm_mc, ignore = "no llvm-mc and llvm-objcopy on this machine")]
fn places_and_numbers_of_variable_length_have_llvms_bytes() {
    let text = ".text\n\ts_nop 1\n\t.uleb128 0, 127, 128, 300, 0x7fffffffffffffff\n\
                \t.sleb128 0, 63, 64, -1, -64, -65, -9223372036854775808\n\t.org 64\n\ts_nop 2\n\
                \t.org 80, 0xff\n\t.org 80\n\ts_endpgm\n";
    let target = Target::find("gfx803").unwrap();
    let program = read(text, target);
    let ours = section(&program, ".text");
    assert_eq!(program.instructions.last().map(|it| it.offset), Some(80));
    assert_eq!(ours.len(), 84);
    assert_eq!(ours, of_llvm(text, target, ".text").0);
}
