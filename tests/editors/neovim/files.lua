--- Files of other kinds: binaries as text, assembly with its macros, and names that
--- belong to many machines.
local steps = require('steps')
local step, equal = steps.step, steps.equal

---@param context table
return function(context)
  local editor = context.start('files')

  step('a file of tokens opens as text, with the services of text', function()
    local tokens = vim.fs.joinpath(context.work, 'shader.tgsib')
    local encoded = vim.system({ context.server, 'tokens', '--encode', '--raw', context.example }):wait()
    equal(encoded.code, 0, 'encoding the example')
    local handle = assert(io.open(tokens, 'wb'))
    handle:write(encoded.stdout)
    handle:close()
    editor:command('edit ' .. vim.fn.fnameescape(tokens))
    equal(editor:lua('return vim.bo.filetype'), 'tgsi', 'file type')
    equal(editor:lua('return { vim.bo.modifiable, vim.bo.modified }'), { false, false }, 'can be changed')
    local lines = editor:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
    local decoded = vim.system({ context.server, 'tokens', '--decode', tokens }, { text = true }):wait()
    equal(table.concat(lines, '\n') .. '\n', decoded.stdout, 'text')
    assert(decoded.stdout:find('TEX TEMP'), decoded.stdout)
    editor:outline()
    editor:lua('pcall(vim.cmd, "silent! write!")')
    local kept = assert(io.open(tokens, 'rb'))
    equal(kept:read('*a'), encoded.stdout, 'the file')
    kept:close()
    editor:command('bwipeout!')
  end)

  step('a code object opens as a listing, an object of another machine as it is', function()
    local digits = {}
    for line in io.lines(vim.fs.joinpath(context.here, '..', 'code_object.hex')) do
      if line:sub(1, 1) ~= '#' then
        table.insert(digits, line)
      end
    end
    local bytes = table.concat(digits):gsub('%x%x', function(pair)
      return string.char(tonumber(pair, 16))
    end)
    local function write(name, content)
      local file = vim.fs.joinpath(context.work, name)
      local handle = assert(io.open(file, 'wb'))
      handle:write(content)
      handle:close()
      return file
    end
    editor:command('edit ' .. vim.fn.fnameescape(write('kernel.co', bytes)))
    equal(editor:lua('return vim.bo.filetype'), 'gcn', 'file type')
    equal(editor:lua('return { vim.bo.modifiable, vim.bo.modified }'), { false, false }, 'can be changed')
    local lines = editor:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
    assert(table.concat(lines, '\n'):find('main_kernel:\n\ts_mov_b32 s0, 0x1234', 1, true), table.concat(lines, '\n'))
    editor:outline()
    editor:command('bwipeout!')
    local bundles = vim.fs.joinpath(context.here, '..', '..', 'data', 'gcn', 'bundle')
    local first = function()
      return editor:lua('return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]')
    end
    editor:command('edit ' .. vim.fn.fnameescape(vim.fs.joinpath(bundles, 'three_chips_zstd.hipfb')))
    equal(first(), '// entry 2 of 4: hipv4-amdgcn-amd-amdhsa--gfx900', 'the first code object')
    editor:command('Tungsten entry 4')
    equal(first(), '// entry 4 of 4: hipv4-amdgcn-amd-amdhsa--gfx908', 'the chosen code object')
    equal(editor:lua('return { vim.bo.modifiable, vim.bo.modified }'), { false, false }, 'can be changed')
    editor:command('bwipeout!')
    editor:command('edit ' .. vim.fn.fnameescape(vim.fs.joinpath(bundles, 'host_program.o')))
    equal(first(), '// entry 2 of 7: hipv4-amdgcn-amd-amdhsa--gfx803', 'the code in an object of a host')
    editor:command('bwipeout!')
    local program = io.open(vim.fs.joinpath(bundles, 'host_program.o'), 'rb')
    local copy = write('program', assert(program):read('*a'))
    program:close()
    editor:command('Tungsten listing ' .. vim.fn.fnameescape(copy))
    equal(first(), '// entry 2 of 7: hipv4-amdgcn-amd-amdhsa--gfx803', 'the code in a program')
    equal(editor:lua('return vim.bo.filetype'), 'gcn', 'file type')
    editor:outline()
    editor:command('bwipeout!')
    editor:command('edit ' .. vim.fn.fnameescape(write('host.o', 'no object\nat all\n')))
    equal(editor:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)'), { 'no object', 'at all' }, 'its bytes')
    equal(editor:lua('return { vim.bo.modifiable, vim.bo.modified }'), { true, false }, 'can be changed')
    editor:command('bwipeout!')
  end)

  local kernel = vim.fs.joinpath(context.work, 'kernel.gcn')
  vim.fn.writefile({
    '.macro twice reg',
    '  v_add_f32 v\\reg, v\\reg, v\\reg',
    '.endm',
  }, vim.fs.joinpath(context.work, 'macros.inc'))
  vim.fn.writefile({
    '.amdgcn_target "amdgcn-amd-amdhsa--gfx803"',
    '.include "macros.inc"',
    'start:',
    '  twice 3',
    '  v_mov_b32 s0, v3',
    '  s_branch start',
    '  s_endpgm',
  }, kernel)

  step('a .s file is ours by what it holds, and no other is', function()
    local function filetype_of(name, text)
      local path = vim.fs.joinpath(context.work, name)
      vim.fn.writefile(vim.split(text, '\n'), path)
      return editor:lua(([[
        vim.cmd.edit(%q)
        local filetype = vim.bo.filetype
        -- A server that still starts would be counted later.
        vim.wait(5000, function() return filetype ~= 'gcn' or #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)
        vim.cmd.bwipeout()
        return filetype
      ]]):format(path))
    end
    equal(filetype_of('ours.s', '  v_mov_b32 v0, 1.0\n  s_endpgm\n'), 'gcn', 'assembly of ours')
    equal(filetype_of('foreign.s', '  mov eax, 1\n  ret\n'), 'asm', 'assembly of another machine')
  end)

  --- The codes found in a new file of some text, and what the file's own language may mind.
  local function sources()
    return editor:lua([[
      return {
        codes = vim.tbl_map(function(it) return { it.lnum + 1, it.col, it.code } end, vim.diagnostic.get(0)),
        clients = #vim.lsp.get_clients({ bufnr = 0 }),
        formatexpr = vim.bo.formatexpr,
        omnifunc = vim.bo.omnifunc,
      }
    ]])
  end
  local function open_text(name, lines)
    local path = vim.fs.joinpath(context.work, name)
    vim.fn.writefile(lines, path)
    editor:command('edit ' .. vim.fn.fnameescape(path))
  end

  step('a source in another language is served once it holds a shader, and keeps its settings', function()
    local before = editor:lua('return #vim.lsp.get_clients()')
    open_text('plain.rs', { '// DCL and END of no shader', 'fn main() {}' })
    editor:lua('vim.wait(700)')
    equal(sources(), { codes = {}, clients = 0, formatexpr = '', omnifunc = '' }, 'a source without a shader')
    equal(editor:lua('return #vim.lsp.get_clients()'), before, 'servers')
    editor:lua(
      [[vim.api.nvim_buf_set_lines(0, 2, -1, false, ...)]],
      { 'const A: &str = concat!("FRAG\\n",', '"DCL OUT[0], COLOR\\n",', '"MVO OUT[0], OUT[0]\\n",', '"END\\n");' }
    )
    editor:lua([[vim.api.nvim_exec_autocmds('TextChanged', { buffer = 0 })]])
    editor:eventually('the error in the shader', function()
      local found = sources()
      return vim.deep_equal(found.codes, { { 5, 1, 'tgsi::unknown-opcode' } })
        and found.formatexpr == ''
        and found.omnifunc == ''
    end)
    editor:command('bwipeout!')
  end)

  step('a log is offered as TGSI, and the answer is remembered', function()
    local log = { 'vs: 1 TGSI:', 'FRAG', 'DCL OUT[0], COLOR', '  0: MVO OUT[0], OUT[0]', '  1: END' }
    editor:lua([[
      _G.offers = 0
      vim.ui.select = function(choices, _, answer)
        _G.offers = _G.offers + 1
        answer(choices[1])
      end
    ]])
    for _, name in ipairs({ 'first.log', 'second.txt' }) do
      open_text(name, log)
      editor:eventually('its type', function()
        return editor:lua('return vim.bo.filetype') == 'tgsi'
      end)
      editor:eventually('its error', function()
        return vim.deep_equal(sources().codes, { { 4, 5, 'tgsi::unknown-opcode' } })
      end)
      editor:command('bwipeout!')
    end
    open_text('third.log', { 'nothing of ours: END', 'DCL OF' })
    editor:lua('vim.wait(200)')
    assert(editor:lua('return vim.bo.filetype') ~= 'tgsi')
    equal(editor:lua('return _G.offers'), 1, 'offers')
    editor:command('bwipeout!')
  end)

  step('a kernel in assembly is judged with what it includes', function()
    editor:command('only | edit ' .. vim.fn.fnameescape(kernel))
    equal(editor:lua('return vim.bo.filetype'), 'gcn', 'file type')
    editor:eventually('one error, at the scalar register', function()
      local found = editor:lua([[
        return vim.tbl_map(function(it) return { it.lnum + 1, it.col, it.code } end, vim.diagnostic.get(0))
      ]])
      return #found == 1 and vim.deep_equal(found[1], { 5, 12, 'gcn::operand' })
    end)
  end)

  step('K explains an instruction as it is used', function()
    editor:go_to_line(6)
    editor:keys('wK')
    editor:float('SOPP')
  end)

  step('a macro call shows what it expands to, by command and by code action', function()
    editor:keys('<Esc>')
    local function expansion()
      return editor:lua([[
        for _, window in ipairs(vim.api.nvim_list_wins()) do
          local buffer = vim.api.nvim_win_get_buf(window)
          if vim.wo[window].winbar == 'twice expanded' then
            return { vim.bo[buffer].filetype, vim.bo[buffer].modifiable, vim.api.nvim_buf_get_lines(buffer, 0, -1, false) }
          end
        end
      ]])
    end
    local function is_shown()
      local found = expansion()
      return found ~= vim.NIL and vim.deep_equal(found, { 'gcn', false, { '\tv_add_f32 v3, v3, v3' } })
    end
    editor:go_to_line(4)
    editor:command('Tungsten expand')
    editor:eventually('the expansion beside the source', is_shown)
    equal(editor:lua([[return vim.fn.expand('%:t')]]), 'kernel.gcn', 'the window that stays')
    editor:command('only')
    editor:lua([[vim.lsp.buf.code_action({ context = { only = { 'refactor' }, diagnostics = {} }, apply = true })]])
    editor:eventually('the expansion again', is_shown)
    editor:command('only')
    editor:go_to_line(6)
    editor:command('Tungsten expand')
    editor:eventually('what is said of a place without', function()
      return editor:lua([[
        return vim.iter(_G.notes):any(function(note) return note.text:find('no macro call', 1, true) ~= nil end)
      ]])
    end)
  end)

  step('the map of a matrix product is beside it, with the registers of the instruction', function()
    editor:command('only')
    local products = vim.fs.joinpath(context.here, '..', '..', 'data', 'gcn', 'llvm', 'bytes_gfx942.s')
    editor:command('edit ' .. vim.fn.fnameescape(products))
    local lines = editor:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
    for number, line in ipairs(lines) do
      if line:find('v_mfma_f32_16x16x32_fp8_bf8', 1, true) then
        editor:go_to_line(number)
      end
    end
    editor:command('Tungsten layout')
    editor:eventually('its tables', function()
      local map = editor:lua([[
        for _, window in ipairs(vim.api.nvim_list_wins()) do
          if vim.wo[window].winbar == 'v_mfma_f32_16x16x32_fp8_bf8 layout' then
            return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
          end
        end
      ]])
      return map ~= vim.NIL
        and vim.list_contains(map, '## A[i][k] in `v[12:13]`: 16 × 32 of fp8')
        and vim.list_contains(map, '## D[i][j] in `v[16:19]`, C in `0`: 16 × 16 of f32')
    end)
    editor:command('only | buffer kernel.gcn')
  end)

  step('what holds registers and what waits wait for is told, and <CR> goes to a line', function()
    editor:go_to_line(4)
    local views = { { 'waits', 'waits' }, { 'registers', 'VGPRs live at line' } }
    for _, view in ipairs(views) do
      editor:command('Tungsten ' .. view[1])
      local shown = editor:window(view[1], function(window)
        return window.bar:find('· ' .. view[1], 1, true) ~= nil and window.text:find(view[2], 1, true) ~= nil
      end)
      assert(shown.name:find('.0.' .. view[1] .. '?', 1, true), shown.name)
    end
    editor:focus('.0.registers')
    editor:keys('gg/live at line<CR>')
    local wanted = editor:lua([[return tonumber(vim.api.nvim_get_current_line():match('at line (%d+)'))]])
    editor:keys('<CR>')
    editor:eventually('its line', function()
      return editor:lua([[return { vim.bo.filetype, vim.api.nvim_win_get_cursor(0)[1] }]])[2] == wanted
    end)
    editor:command('only | buffer kernel.gcn')
  end)

  step('the whole program is shown expanded, with linked cursors', function()
    editor:go_to_line(4)
    editor:command('Tungsten expanded')
    local view = editor:window('the program', function(window)
      return window.bar:find('expanded') ~= nil and window.text:find('v_add_f32 v3, v3, v3', 1, true) ~= nil
    end)
    equal(view.filetype, 'gcn', 'file type')
    assert(not view.text:find('twice', 1, true), view.text)
    editor:window('the cursor', function(window)
      local line = vim.split(window.text, '\n')[window.cursor]
      return window.bar:find('expanded') ~= nil and line:find('v_add_f32 v3', 1, true) ~= nil
    end)
    editor:command('only')
  end)

  step('a label is renamed everywhere, a call leads into the included file', function()
    editor:keys('<Esc>')
    editor:go_to_line(3)
    editor:lua([[vim.lsp.buf.rename('again')]])
    editor:eventually('the jump follows', function()
      return editor:lua('return vim.fn.getline(3) == "again:" and vim.fn.getline(6) == "  s_branch again"')
    end)
    editor:go_to_line(4)
    editor:keys('w')
    editor:lua('vim.lsp.buf.definition()')
    editor:eventually('the macro', function()
      return editor:lua([[return vim.fn.expand('%:t') == 'macros.inc' and vim.fn.line('.') == 1]])
    end)
  end)

  step('the editor wrote down no fault', function()
    editor:quit()
  end)
end
