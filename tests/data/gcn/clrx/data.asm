# Data of every size, strings, alignment and floats.
.rawcode
.gpu Tahiti
    s_getpc_b64 s[0:1]
    s_branch behind
table:
    .byte 1, 2, 3, 4
    .short 0x1234, -1
    .int 77, 1 << 20
    .quad 0x123456789abcdef
    .float 1.5, -0.25
    .double 2.5
    .half 1.0, 2.0
    .ascii "four"
    .asciz "end"
    .align 8, 0xff
    .fill 2, 4, 7
    .skip 4
behind: s_endpgm
