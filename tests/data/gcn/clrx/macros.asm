# Macros with defaults, required and remaining arguments.
.rawcode
.gpu Fiji
.macro fill_registers first:req, count=2, value=0
    .for i = 0, i < \count, i + 1
        v_mov_b32 v[\first+i], \value
    .endr
.endm
.macro apply op, regs:vararg
    .irp reg, \regs
        \op \reg, \reg
    .endr
.endm
    fill_registers 4
    fill_registers 8, 3, 1.0
    apply v_not_b32, v4, v5, v8
.macro counter
label_\@: s_nop \@
.endm
    counter
    counter
.purgem counter
    s_endpgm
