" TGSI, the text form of Gallium's shaders.
if exists('b:current_syntax')
  finish
endif

syntax case ignore
syntax sync fromstart

syntax match tgsiOpcode /\(^\s*\(\d\+\s*:\s*\)\?\)\@<=\h\w*/ contains=tgsiControl,tgsiModifier,tgsiDeclaration,tgsiStage
syntax match tgsiOrdinal /^\s*\zs\d\+\s*:/
syntax keyword tgsiControl contained IF UIF ELSE ENDIF BGNLOOP ENDLOOP BRK CONT BGNSUB ENDSUB CAL RET
syntax keyword tgsiControl contained SWITCH CASE DEFAULT ENDSWITCH END KILL KILL_IF DEMOTE EMIT ENDPRIM BARRIER
syntax keyword tgsiDeclaration contained DCL IMM PROPERTY
syntax match tgsiStage contained /\<\(FRAG\|VERT\|GEOM\|TESS_CTRL\|TESS_EVAL\|COMP\)\>/
syntax match tgsiModifier contained /_\(SAT\|PRECISE\)\>/

syntax match tgsiRegister /\<\(NULL\|CONST\|IN\|OUT\|TEMP\|SAMP\|ADDR\|IMM\|SV\|IMAGE\|SVIEW\|BUFFER\|MEMORY\|CONSTBUF\|HWATOMIC\|PRED\|RES\)\>\ze\s*\[/
syntax match tgsiSwizzle /[\])]\@1<=\s*\.\s*[xyzw]\{1,4}\>/
syntax match tgsiNumber /\<\d\+\(\.\.\@!\d*\)\?\(e[-+]\?\d\+\)\?\>/
syntax match tgsiNumber /\<0x\x\+\>/
syntax match tgsiOperator /\.\.\|[-+|]/

syntax match tgsiTarget /,\s*\zs\(1D\|2D\|3D\|CUBE\|RECT\|SHADOW1D\|SHADOW2D\|SHADOWRECT\|1D_ARRAY\|2D_ARRAY\|SHADOW1D_ARRAY\|SHADOW2D_ARRAY\|SHADOWCUBE\|2D_MSAA\|2D_ARRAY_MSAA\|CUBE_\?ARRAY\|SHADOWCUBEARRAY\)\>/
syntax keyword tgsiType FLT32 UINT32 INT32 FLT64 UINT64 INT64 UNORM SNORM SINT UINT FLOAT
syntax keyword tgsiQualifier CONSTANT LINEAR PERSPECTIVE CENTER CENTROID SAMPLE INVARIANT LOCAL ARRAY STREAM ATOMIC
syntax keyword tgsiQualifier GLOBAL SHARED PRIVATE WR RAW COHERENT RESTRICT VOLATILE
syntax keyword tgsiSemantic POSITION COLOR BCOLOR FOG PSIZE GENERIC NORMAL FACE EDGEFLAG PRIM_ID INSTANCEID VERTEXID STENCIL
syntax keyword tgsiSemantic CLIPDIST CLIPVERTEX GRID_SIZE BLOCK_ID BLOCK_SIZE THREAD_ID TEXCOORD PCOORD VIEWPORT_INDEX LAYER
syntax keyword tgsiSemantic SAMPLEID SAMPLEPOS SAMPLEMASK INVOCATIONID PATCH TESSCOORD TESSOUTER TESSINNER VERTICESIN

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
highlight default link tgsiComment Comment
highlight default link tgsiDirective PreProc

let b:current_syntax = 'tgsi'
