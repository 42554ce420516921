# Enumerations, conditions and messages of the assembler.
.rawcode
.gpu GFX900
.enum red, green, blue
.enum >8, first, second
.ifarch GCN1.4
    s_movk_i32 s0, blue
.else
    .error "another architecture"
.endif
.if second == 9
    s_movk_i32 s1, second
.elseif second > 9
    s_movk_i32 s1, 0
.endif
.ifndef undefined_name
    s_movk_i32 s2, green | red << 4
.endif
    s_endpgm
