//! Numbers in the text of modules.

/// The text of a module that has one constant of 32 bits.
fn constant(bits: u32) -> String {
    let header = [0x0723_0203, 0x1_0300, 0, 3, 0];
    let float = [3 << 16 | 22, 1, 32];
    let constant = [4 << 16 | 43, 1, 2, bits];
    let words = [&header[..], &float, &constant].concat();
    spirv::disassemble(&words).expect("a module")
}

#[test]
fn they_are_as_spirv_dis_writes_them() {
    for (bits, text) in [
        (0x3f80_0000, "1"),
        (0xbf00_0000, "-0.5"),
        (0x8000_0000, "-0"),
        (0x3dcc_cccd, "0.100000001"),
        (0x4b80_0000, "16777216"),
        (0x5015_02f9, "1e+10"),
        (0x7f80_0000, "0x1p+128"),
        (0xffc0_0000, "-0x1.8p+128"),
        (0x0000_0001, "0x1p-149"),
    ] {
        let module = constant(bits);
        let found = module.lines().find(|line| line.contains("OpConstant "));
        let found = found.and_then(|line| line.split_whitespace().last());
        assert_eq!(found, Some(text), "{module}");
    }
}
