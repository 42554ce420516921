--- The settings that the server reads.
--- Made of `server/src/settings/table.rs` by its tests.

---@class tungsten.settings.budget
---@field waves? table<string, any> The fewest waves of a SIMD that every shader and kernel must have on a chip, such as `{"polaris10": 8}`
---@field vgprs? table<string, any> The most vector registers that a shader or kernel may use on a chip
---@field clocks? table<string, any> The most clocks that a wave alone may take on a chip, in the model of time

---@class tungsten.settings.advice
---@field seconds? integer How long *Find a Faster Form* searches at most, up to 600 seconds

---@class tungsten.settings.assembly
---@field target? string The chip of assembly files that name none, neither by a directive nor in their file name: `vega10`, `gfx803`
---@field dialect? 'llvm'|'clrx' The language of every assembly file
---@field includeFolders? string[] Where files named by `.include` are looked for, after the folders around the including file
---@field symbols? string[] Symbols of assembly files that have a value from the start, as a command line gives them: `NAME=VALUE`, such as `ARCH=803` or `MASK=0xff`

---@class tungsten.settings.run
---@field inputs? string The file of inputs that shaders are run on which name none themselves, by a path or by a name that is looked for around them
---@field lane? integer The lane whose values are shown beside the instructions, from 0: a pixel of the quad, a vertex, a thread

---@class tungsten.settings.inlayHints
---@field lines? 'important'|'all'|'off' The lines that show what they became and what they cost: machine instructions, clocks and registers
---@field machineCode? boolean Show how many machine instructions a line became
---@field values? boolean Show what the numbers of immediates are when they are read as another type
---@field run? boolean Show what each instruction wrote, in shaders with a line `# tungsten: run=FILE` that names a file of inputs, and in all where `run.inputs` is set
---@field clocks? boolean Show the clocks of a line: `4+292 clk` is 4 to issue and 292 of stall
---@field vectorRegisters? boolean Show the vector registers of a line: `V 23/24` is 23 live and 24 allocated
---@field scalarRegisters? boolean Show the scalar registers of a line in the same way: `S 12/16`

---@class tungsten.settings.format
---@field instructionNumbers? 'keep'|'always'|'never' Whether formatting puts the number before each TGSI instruction

---@class tungsten.settings.diagnostics
---@field scope? 'open'|'workspace' The files whose diagnostics are pushed to a client that does not pull

---@class tungsten.settings.tgsi
---@field dialect? string The reader of TGSI that decides what is an error

---@class tungsten.Settings
---@field targets? string[] The chips to compile for: marketing or processor names, such as `tahiti`, `polaris10`, `vega10` or `gfx803`
---@field compilers? string[] The compilers: `llvm`, and `aco`, Mesa's, where its driver RADV is installed
---@field compile? boolean Compile shaders while they are edited
---@field llvm? string The `libLLVM` to compile with, or its folder
---@field vrend? string The `virgl_test_server` that translates shaders to GLSL, or its folder
---@field host? string The host that virglrenderer hands GLSL to, such as `gl45` or `gles31`, with `-GL_EXTENSION` after it for each extension that it lacks
---@field cache? boolean|string Keep results of compiles on the disk, so that opening a file again compiles nothing
---@field trustedFolders? string[] Folders from which files may be read that others name (includes, inputs, profiles), beside those of the workspace
---@field profile? string The driver that TGSI shaders are checked for: a name that `tungsten profiles` lists, such as `radeonsi-gfx8`, or a file of `name: value` lines
---@field tgsi? tungsten.settings.tgsi
---@field allow? string[] Diagnostic codes to hide, such as `tgsi::comment`
---@field severity? table<string, any> The severity of diagnostics, by their code, such as `"tgsi::comment": "warning"`
---@field exclude? string[] Files that are not checked with the others of a folder, and that nothing is looked for in, unless they are opened: patterns as in `.gitignore`, from the folder
---@field diagnostics? tungsten.settings.diagnostics
---@field format? tungsten.settings.format
---@field inlayHints? tungsten.settings.inlayHints
---@field run? tungsten.settings.run
---@field assembly? tungsten.settings.assembly
---@field environment? table<string, any> The state that shaders are compiled for, in the words of `# tungsten:` lines, such as `{"vertex-format": "r8g8b8a8_unorm", "alpha-test": "greater"}`
---@field advice? tungsten.settings.advice
---@field budget? tungsten.settings.budget

--- Those that are sent to it, by their first words.
return {
  'targets',
  'compilers',
  'compile',
  'host',
  'profile',
  'tgsi',
  'allow',
  'severity',
  'exclude',
  'diagnostics',
  'format',
  'inlayHints',
  'run',
  'assembly',
  'environment',
  'advice',
  'budget',
}
