# Loops of the assembler: for, while, rept, irp, irpc.
.rawcode
.gpu Tahiti
.for i = 0, i < 4, i + 1
    v_mov_b32 v[i], i * 3
.endr
n = 8
.while n > 5
    v_add_f32 v[n], v0, v1
    n = n - 1
.endr
.rept 2
    s_nop 0
.endr
.irp reg, v4, v5, v6
    v_not_b32 \reg, v0
.endr
.irpc digit, 123
    s_movk_i32 s\digit, \digit
.endr
    s_endpgm
