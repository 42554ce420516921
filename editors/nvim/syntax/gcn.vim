" AMD GCN assembly, as LLVM and CLRX write it.
if exists('b:current_syntax')
  finish
endif

syntax case match
" Only block comments reach over lines; to look for their beginning from the start of a
" large file takes long.
syntax sync ccomment gcnComment minlines=50 maxlines=500

syntax match gcnScalar /\<s_\w\+/
syntax match gcnControl /\<s_\(c\?branch\w*\|endpgm\w*\|setpc_b64\|swappc_b64\|call_b64\|barrier\|waitcnt\w*\|nop\|sleep\|trap\|sendmsg\w*\|sethalt\)\>/
syntax match gcnVector /\<v_\w\+/
syntax match gcnMemory /\<\(buffer\|tbuffer\|image\|flat\|global\|scratch\|ds\)_\w\+/
syntax match gcnMemory /\(^\|\s\)\@1<=exp\ze\s/

syntax match gcnVectorRegister /\<v\(\d\+\>\|\[[^\]]*\]\)/
syntax match gcnScalarRegister /\<\(s\|ttmp\)\(\d\+\>\|\[[^\]]*\]\)/
syntax match gcnSpecialRegister /\<\(vcc\|exec\|flat_scratch\|xnack_mask\|tba\|tma\)\(_lo\|_hi\)\?\>/
syntax keyword gcnSpecialRegister m0 scc vccz execz lds_direct

syntax match gcnModifier /\<\(offset[01]\?\|dmask\|dfmt\|nfmt\|format\|row_mask\|bank_mask\|bound_ctrl\|quad_perm\|row_sh[lr]\|row_ror\|dst_sel\|dst_unused\|src[01]_sel\|op_sel\(_hi\)\?\|neg_\(lo\|hi\)\|mul\|div\|vmcnt\|expcnt\|lgkmcnt\|hwreg\)\ze\s*[:(]/
syntax keyword gcnModifier off offen idxen addr64 glc slc tfe lwe lds gds unorm da r128 a16 d16 clamp done compr vm sext
syntax match gcnPlace /\<\(mrt[0-7z]\|mrtz\|pos[0-3]\|param\d\+\|attr\d\+\.[xyzw]\|null\)\>/

syntax match gcnNumber /\<\d\+\(\.\d*\)\?\(e[-+]\?\d\+\)\?\>/
syntax match gcnNumber /\<0x\x\+\>/
syntax match gcnDirective /\(^\|\s\)\@1<=\.\h[0-9A-Za-z_.]*/
syntax match gcnLabel /^\s*[A-Za-z_.$@][0-9A-Za-z_.$@]*:/
syntax region gcnString start=/"/ skip=/\\./ end=/"\|$/

syntax match gcnComment /;.*$/
syntax match gcnComment /\/\/.*$/
syntax region gcnComment start=/\/\*/ end=/\*\//
" The offset and words of an instruction, which views of compiled code hide: they stand far
" to the right.
syntax match gcnEncoding /\s*\/\/ \x\{6}: \x\{8}\( \x\{8}\)*$/ conceal

highlight default link gcnScalar Special
highlight default link gcnControl Conditional
highlight default link gcnVector Function
highlight default link gcnMemory Statement
highlight default link gcnVectorRegister Identifier
highlight default link gcnScalarRegister Constant
highlight default link gcnSpecialRegister Constant
highlight default link gcnModifier StorageClass
highlight default link gcnPlace Constant
highlight default link gcnNumber Number
highlight default link gcnDirective PreProc
highlight default link gcnLabel Label
highlight default link gcnString String
highlight default link gcnComment Comment
highlight default link gcnEncoding Comment

let b:current_syntax = 'gcn'
