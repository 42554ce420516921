# Operators of the assembler with their ranks.
.rawcode
.gpu Bonaire
a = 7; b = 3
    s_movk_i32 s0, a * b + (a - b)
    s_movk_i32 s1, a // b + a % b
c = a > b ? 5 : 6
    s_movk_i32 s2, c
    s_movk_i32 s3, (a & b) | (a ^ b) << 2
    s_movk_i32 s4, ~a & 0xff
    s_movk_i32 s5, (-a >>> 1) & 0xff
d = a <@ b
    s_movk_i32 s6, d
    s_movk_i32 s7, !a + (a == 7)
.eqv twice, a * 2
a = 9
    s_movk_i32 s8, twice
    s_endpgm
