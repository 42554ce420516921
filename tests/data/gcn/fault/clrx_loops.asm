.rawcode
.gpu Fiji
.error "no"
.warning "perhaps"
.fail
.for i = 0, i < 3, i + 1
    s_nop 0
