" TGSI, the text form of Gallium's shaders.
if exists('b:current_syntax')
  finish
endif

syntax case ignore
" Only block comments reach over lines; to look for their beginning from the start of a
" large file takes long.
syntax sync ccomment tgsiComment minlines=50 maxlines=500

syntax match tgsiOpcode /\(^\s*\(\d\+\s*:\s*\)\?\)\@<=\h\w*/ contains=tgsiControl,tgsiModifier,tgsiDeclaration,tgsiStage
syntax match tgsiOrdinal /^\s*\zs\d\+\s*:/
syntax keyword tgsiControl contained IF UIF ELSE ENDIF BGNLOOP ENDLOOP BRK CONT BGNSUB ENDSUB CAL RET
syntax keyword tgsiControl contained SWITCH CASE DEFAULT ENDSWITCH END KILL KILL_IF DEMOTE EMIT ENDPRIM BARRIER
syntax keyword tgsiDeclaration contained DCL IMM PROPERTY
syntax match tgsiStage contained /\<\(FRAG\|VERT\|GEOM\|TESS_CTRL\|TESS_EVAL\|COMP\)\d*\>/
syntax match tgsiModifier contained /_\(SAT\|PRECISE\)\>/

syntax match tgsiRegister /\<\(NULL\|CONST\|IN\|OUT\|TEMP\|SAMP\|ADDR\|IMM\|SV\|IMAGE\|SVIEW\|BUFFER\|MEMORY\|CONSTBUF\|HWATOMIC\|PRED\|RES\|LOOP\|IMMX\|TEMPX\)\>\ze\s*\[/
syntax match tgsiSwizzle /[\])]\@1<=\s*\.\s*[xyzw]\{1,4}\>/
syntax match tgsiNumber /\<\d\+\(\.\.\@!\d*\)\?\(e[-+]\?\d\+\)\?\>/
syntax match tgsiNumber /\<0x\x\+\>/
syntax match tgsiOperator /\.\.\|[-+|]/

syntax match tgsiTarget /,\s*\zs\(1D\|2D\|3D\|CUBE\|RECT\|SHADOW1D\|SHADOW2D\|SHADOWRECT\|1D_ARRAY\|2D_ARRAY\|SHADOW1D_ARRAY\|SHADOW2D_ARRAY\|SHADOWCUBE\|2D_MSAA\|2D_ARRAY_MSAA\|CUBE_\?ARRAY\|SHADOWCUBEARRAY\|UNKNOWN\)\>/
syntax match tgsiTarget /,\s*\zsBUFFER\>\ze\s*\(,\|$\)/
syntax match tgsiType /\<PIPE_FORMAT_\w\+/
syntax keyword tgsiQualifier COHERENT RESTRICT VOLATILE STREAM_CACHE_POLICY

" Words of declarations alone: some of them are opcodes elsewhere.
syntax region tgsiDeclared start=/^\s*\(\d\+\s*:\s*\)\?\(DCL\|IMM\|PROPERTY\)\>/ end=/$/ transparent contains=tgsiOpcode,tgsiDeclaration,tgsiOrdinal,tgsiRegister,tgsiSwizzle,tgsiNumber,tgsiOperator,tgsiTarget,tgsiType,tgsiQualifier,tgsiSemantic,tgsiProperty,tgsiValue,tgsiComment
syntax keyword tgsiType contained FLT32 UINT32 INT32 FLT64 UINT64 INT64 UNORM SNORM SINT UINT FLOAT
syntax keyword tgsiQualifier contained CONSTANT LINEAR PERSPECTIVE CENTER CENTROID SAMPLE INVARIANT LOCAL ARRAY STREAM
syntax keyword tgsiQualifier contained ATOMIC GLOBAL SHARED PRIVATE INPUT WR RAW
syntax keyword tgsiSemantic contained POSITION COLOR BCOLOR FOG PSIZE GENERIC NORMAL FACE EDGEFLAG PRIM_ID INSTANCEID
syntax keyword tgsiSemantic contained VERTEXID VERTEXID_NOBASE BASEVERTEX BASEINSTANCE DRAWID STENCIL CLIPDIST CULLDIST
syntax keyword tgsiSemantic contained CLIPVERTEX GRID_SIZE BLOCK_ID BLOCK_SIZE THREAD_ID WORK_DIM TEXCOORD PCOORD LAYER
syntax keyword tgsiSemantic contained VIEWPORT_INDEX VIEWPORT_MASK SAMPLEID SAMPLEPOS SAMPLEMASK INVOCATIONID PATCH
syntax keyword tgsiSemantic contained TESSCOORD TESSOUTER TESSINNER VERTICESIN HELPER_INVOCATION CS_USER_DATA_AMD
syntax keyword tgsiSemantic contained SUBGROUP_SIZE SUBGROUP_INVOCATION
syntax match tgsiSemantic contained /\<SUBGROUP_\(EQ\|G[ET]\|L[ET]\)_MASK\>/
syntax match tgsiProperty contained /\(PROPERTY\s\+\)\@<=\h\w*/
syntax match tgsiValue contained /\(PROPERTY\s\+\h\w*\s\+\)\@<=\h\w*/

syntax match tgsiComment /\/\/.*$/
syntax match tgsiComment /#.*$/ contains=tgsiDirective
syntax match tgsiDirective contained /#\s*tungsten:.*$/
syntax region tgsiComment start=/\/\*/ end=/\*\//

highlight default link tgsiOpcode Function
highlight default link tgsiControl Conditional
highlight default link tgsiDeclaration Statement
highlight default link tgsiStage PreProc
highlight default link tgsiModifier Statement
highlight default link tgsiOrdinal LineNr
highlight default link tgsiRegister Identifier
highlight default link tgsiSwizzle Special
highlight default link tgsiNumber Number
highlight default link tgsiOperator Operator
highlight default link tgsiTarget Type
highlight default link tgsiType Type
highlight default link tgsiQualifier StorageClass
highlight default link tgsiSemantic Constant
highlight default link tgsiProperty Constant
highlight default link tgsiValue Constant
highlight default link tgsiComment Comment
highlight default link tgsiDirective PreProc

let b:current_syntax = 'tgsi'
