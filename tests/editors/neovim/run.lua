--- Drives a real Neovim with the plugin and the real server.
---
---   nvim --headless --clean -l run.lua SERVER PLUGIN EXAMPLE WORK
---
--- SERVER is a program that runs the server when given `lsp`.
local server, plugin, example, work = unpack(_G.arg)
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p')))
package.path = here .. '/?.lua;' .. package.path
local Editor = require('editor')

local steps = require('steps')
local step, equal = steps.step, steps.equal

vim.fn.mkdir(work, 'p')
local file = vim.fs.joinpath(work, vim.fs.basename(example))
assert(vim.uv.fs_copyfile(example, file))
local source_lines = vim.fn.readfile(file)

--- The first line, from 1, with an instruction.
local function line_of(opcode)
  for number, line in ipairs(source_lines) do
    if line:match('^%s*%d*:?%s*' .. opcode .. '%f[%W]') then
      return number
    end
  end
  error('the example has no ' .. opcode)
end
local texture_line, end_line = line_of('TEX'), line_of('END')

local editor = Editor.start(plugin, { cmd = { server, 'lsp' } }, vim.fs.joinpath(work, 'neovim.log'))

--- The text and the marks of the machine code's window, if there is one.
local function compiled()
  return editor:lua([[
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local buffer = vim.api.nvim_win_get_buf(window)
      if vim.startswith(vim.api.nvim_buf_get_name(buffer), 'tungsten-gcn:') then
        local marks = {}
        local linked = vim.api.nvim_get_namespaces()['tungsten.linked']
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, linked, 0, -1, {})) do
          table.insert(marks, mark[2] + 1)
        end
        local aged = vim.api.nvim_get_namespaces()['tungsten.age']
        return {
          name = vim.api.nvim_buf_get_name(buffer),
          lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false),
          marks = marks,
          faint = #vim.api.nvim_buf_get_extmarks(buffer, aged, 0, -1, {}) > 0,
          bar = vim.wo[window].winbar,
          cursor = vim.api.nvim_win_get_cursor(window)[1],
          modifiable = vim.bo[buffer].modifiable,
        }
      end
    end
  ]])
end

local function marked_text()
  local view = compiled()
  return table.concat(
    vim.tbl_map(function(line)
      return view.lines[line]
    end, view.marks),
    '\n'
  )
end

local function code_text()
  local view = compiled()
  return view and view ~= vim.NIL and table.concat(view.lines, '\n') or ''
end

--- What the server says for the source now, asked past the plugin.
local function answer()
  return editor:lua([[
    local client = vim.lsp.get_clients({ name = 'tungsten' })[1]
    local source = client and next(client.attached_buffers)
    local params = { textDocument = { uri = vim.uri_from_bufnr(source) } }
    local reply = client:request_sync('tungsten/compiledCode', params, 10000, source)
    return reply and reply.result
  ]])
end

local function errors()
  return editor:lua('return #vim.diagnostic.get(nil, { severity = vim.diagnostic.severity.ERROR })')
end

step('a TGSI file starts the server', function()
  editor:command('edit ' .. vim.fn.fnameescape(file))
  equal(editor:lua('return vim.bo.filetype'), 'tgsi', 'file type')
  equal(editor:lua('return vim.b.current_syntax'), 'tgsi', 'syntax')
  editor:eventually('the client is ready', function()
    return editor:lua([[
      local client = vim.lsp.get_clients({ name = 'tungsten' })[1]
      return client ~= nil and client.initialized == true
    ]])
  end)
end)

step('a code lens tells chip, registers and waves', function()
  editor:eventually('the lens', function()
    local titles = editor:lua([[
      return vim.tbl_map(function(lens) return lens.command and lens.command.title or '' end, vim.lsp.codelens.get(0))
    ]])
    return vim.iter(titles):any(function(title)
      return title:find('polaris10') and title:find('VGPR')
    end)
  end, 60)
end)

step('a good shader has no error', function()
  editor:eventually('diagnostics were pulled', function()
    return editor:lua([[
      local client = vim.lsp.get_clients({ name = 'tungsten' })[1]
      local reply = client:request_sync('textDocument/diagnostic', {
        textDocument = { uri = vim.uri_from_bufnr(0) },
      }, 5000, 0)
      return reply ~= nil and reply.result ~= nil and vim.iter(reply.result.items or {}):all(function(item)
        return item.severity ~= vim.lsp.protocol.DiagnosticSeverity.Error
      end)
    ]])
  end)
  equal(errors(), 0, 'errors')
end)

step('inlay hints tell what the lines cost', function()
  local hints = editor:eventually('hints', function()
    local found = editor:lua([[
      local lines = {}
      for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
        local label = hint.inlay_hint.label
        if type(label) == 'table' then
          label = label[1].value
        end
        table.insert(lines, { line = hint.inlay_hint.position.line + 1, label = label })
      end
      return lines
    ]])
    return #found > 0 and found
  end)
  assert(
    vim.iter(hints):any(function(hint)
      return hint.line == texture_line and hint.label:find('%d')
    end),
    'none on the texture fetch: ' .. vim.inspect(hints)
  )
end)

--- How many signs of heat the buffer has, and of how many colours.
local function heat()
  return editor:lua([[
    local marks = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces()['tungsten.heat'], 0, -1, { details = true })
    local colours = {}
    for _, mark in ipairs(marks) do
      colours[mark[4].sign_hl_group] = true
    end
    return { #marks, #vim.tbl_keys(colours) }
  ]])
end

step('signs show what lines cost, and the status the sums', function()
  editor:eventually('signs of several colours', function()
    local signs = heat()
    return signs[1] > 2 and signs[2] > 1
  end)
  local sums = editor:lua([[return require('tungsten').status()]])
  assert(sums:find('^polaris10 · %d+ waves · V %d+ · S %d+ · %d+ clk$'), sums)
  editor:command('Tungsten heat off')
  equal(heat(), { 0, 0 }, 'signs that are switched off')
  editor:command('Tungsten heat registers')
  assert(heat()[1] > 2, 'no signs of registers')
end)

step('K explains an opcode', function()
  editor:go_to_line(texture_line)
  editor:keys('fTK')
  editor:eventually('the floating window', function()
    return editor:lua([[
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then
          local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
          return table.concat(lines, '\n'):find('TEX') ~= nil
        end
      end
    ]]) == true
  end)
  editor:keys('<Esc>j')
end)

step('the lens opens the machine code beside the source', function()
  editor:go_to_line(1)
  editor:keys(':lua vim.lsp.codelens.run()<CR>')
  editor:eventually('machine code', function()
    return code_text():find('\n%s*[sv]_%l') ~= nil
  end)
  equal(compiled().modifiable, false, 'the view can be changed')
  equal(editor:lua('return #vim.api.nvim_list_wins()'), 2, 'windows')
end)

step('the machine code of the cursor’s line is marked, for every line', function()
  local origins = answer().sourceLines
  local linked = 0
  for number = 1, #source_lines do
    editor:go_to_line(number)
    local wanted = {}
    for line, origin in ipairs(origins) do
      if origin == number - 1 then
        table.insert(wanted, line)
      end
    end
    linked = linked + (#wanted > 0 and 1 or 0)
    editor:eventually('marks of line ' .. number .. ': ' .. vim.inspect(wanted), function()
      return vim.deep_equal(compiled().marks, wanted)
    end, 5)
  end
  assert(linked > 10, 'only ' .. linked .. ' lines are linked to machine code')
  editor:go_to_line(texture_line)
  editor:eventually('the texture fetch', function()
    return marked_text():find('image_sample') ~= nil
  end)
  assert(vim.tbl_contains(compiled().marks, compiled().cursor), 'the other window does not follow')
end)

step('the cursor in the machine code marks its source line', function()
  editor:go_to_line(1)
  editor:keys('<C-w>l/image_sample<CR>')
  editor:eventually('the source follows', function()
    return editor:lua([[
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.bo[vim.api.nvim_win_get_buf(window)].filetype == 'tgsi' then
          return vim.api.nvim_win_get_cursor(window)[1]
        end
      end
    ]]) == texture_line
  end)
  editor:keys('<C-w>h')
  editor:eventually('back in the source', function()
    return editor:lua('return vim.bo.filetype') == 'tgsi'
  end)
end)

step('a syntax error is shown, and the last code stays, marked as old', function()
  local before = code_text()
  editor:go_to_line(texture_line)
  editor:keys('OBOGUS TEMP[0].x<Esc>')
  editor:eventually('the diagnostic', function()
    return errors() > 0
  end)
  editor:eventually('the mark', function()
    local view = compiled()
    return view.faint and view.bar:find('◌') ~= nil
  end)
  equal(code_text():find('image_sample') ~= nil, true, 'the last code is kept')
  assert(before ~= '')
  -- The kept code still points at the right line, which has moved.
  editor:go_to_line(texture_line + 1)
  editor:eventually('the texture fetch, one line further down', function()
    return marked_text():find('image_sample') ~= nil
  end)
end)

step('mending it brings everything back', function()
  editor:keys('u')
  editor:eventually('no error', function()
    return errors() == 0
  end)
  editor:eventually('current code', function()
    local view = compiled()
    return not view.faint and not view.bar:find('◌')
  end)
end)

step('an edit changes the machine code', function()
  equal(code_text():find('v_cos_f32') == nil, true, 'no cosine yet')
  editor:go_to_line(end_line)
  editor:keys('OCOS OUT[0].x, TEMP[0].xxxx<Esc>')
  editor:eventually('the cosine', function()
    return code_text():find('v_cos_f32') ~= nil
  end)
end)

step('the compile worker is killed, and the next edit is compiled', function()
  local workers = editor:processes('compile%-worker')
  assert(#workers > 0, 'there is no worker')
  for _, pid in ipairs(workers) do
    vim.uv.kill(pid, 'sigkill')
  end
  editor:keys('OSIN OUT[0].y, TEMP[0].yyyy<Esc>')
  editor:eventually('the sine', function()
    return code_text():find('v_sin_f32') ~= nil
  end)
  equal(errors(), 0, 'errors')
end)

step('another chip takes the window', function()
  editor:keys(':Tungsten compiled tahiti<CR>')
  editor:eventually('code for tahiti', function()
    local view = compiled()
    return view.name:find('tahiti') and view.bar:find('tahiti') and code_text():find('\n%s*[sv]_%l') ~= nil
  end)
  equal(editor:lua('return #vim.api.nvim_list_wins()'), 2, 'windows')
end)

step(':Tungsten status says what was found', function()
  editor:keys(':Tungsten status<CR>')
  editor:eventually('the floating window', function()
    return editor:lua([[
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then
          local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
          return table.concat(lines, '\n'):find('polaris10') ~= nil
        end
      end
    ]]) == true
  end)
end)

step('nothing went wrong unseen', function()
  local wrong = editor:lua([[
    return vim.tbl_filter(function(note) return (note.level or 0) >= vim.log.levels.WARN end, _G.notes)
  ]])
  -- The worker's death is worth a message; there is nothing else to say.
  local others = vim.tbl_filter(function(note)
    return not note.text:lower():find('worker')
  end, wrong)
  equal(others, {}, 'warnings')
end)

step('a file of tokens opens as text, with the services of text', function()
  local tokens = vim.fs.joinpath(work, 'shader.tgsib')
  local encoded = vim.system({ server, 'tokens', '--encode', '--raw', example }):wait()
  equal(encoded.code, 0, 'encoding the example')
  local handle = assert(io.open(tokens, 'wb'))
  handle:write(encoded.stdout)
  handle:close()
  editor:command('edit ' .. vim.fn.fnameescape(tokens))
  equal(editor:lua('return vim.bo.filetype'), 'tgsi', 'file type')
  equal(editor:lua('return { vim.bo.modifiable, vim.bo.modified }'), { false, false }, 'can be changed')
  local lines = editor:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
  local decoded = vim.system({ server, 'tokens', '--decode', tokens }, { text = true }):wait()
  equal(table.concat(lines, '\n') .. '\n', decoded.stdout, 'text')
  assert(decoded.stdout:find('TEX TEMP'), decoded.stdout)
  editor:eventually('the outline of the server', function()
    return editor:lua([[
      local client = vim.lsp.get_clients({ name = 'tungsten', bufnr = 0 })[1]
      local params = { textDocument = { uri = vim.uri_from_bufnr(0) } }
      local reply = client and client:request_sync('textDocument/documentSymbol', params, 5000, 0)
      return reply ~= nil and reply.result ~= nil and #reply.result > 0
    ]])
  end)
  editor:lua('pcall(vim.cmd, "silent! write!")')
  local kept = assert(io.open(tokens, 'rb'))
  equal(kept:read('*a'), encoded.stdout, 'the file')
  kept:close()
  editor:command('bwipeout!')
end)

step('a code object opens as a listing, an object of another machine as it is', function()
  local digits = {}
  for line in io.lines(vim.fs.joinpath(here, '..', 'code_object.hex')) do
    if line:sub(1, 1) ~= '#' then
      table.insert(digits, line)
    end
  end
  local bytes = table.concat(digits):gsub('%x%x', function(pair)
    return string.char(tonumber(pair, 16))
  end)
  local function write(name, content)
    local file = vim.fs.joinpath(work, name)
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
  editor:eventually('the outline of the server', function()
    return editor:lua([[
      local client = vim.lsp.get_clients({ name = 'tungsten', bufnr = 0 })[1]
      local params = { textDocument = { uri = vim.uri_from_bufnr(0) } }
      local reply = client and client:request_sync('textDocument/documentSymbol', params, 5000, 0)
      return reply ~= nil and reply.result ~= nil and #reply.result > 0
    ]])
  end)
  editor:command('bwipeout!')
  editor:command('edit ' .. vim.fn.fnameescape(write('host.o', 'no object\nat all\n')))
  equal(editor:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)'), { 'no object', 'at all' }, 'its bytes')
  equal(editor:lua('return { vim.bo.modifiable, vim.bo.modified }'), { true, false }, 'can be changed')
  editor:command('bwipeout!')
end)

step(':checkhealth finds the server', function()
  editor:command('checkhealth tungsten')
  local report = editor:lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')
  assert(report:find('the server runs for'), report)
  assert(not report:find('ERROR'), report)
end)

local kernel = vim.fs.joinpath(work, 'kernel.gcn')
vim.fn.writefile({
  '.macro twice reg',
  '  v_add_f32 v\\reg, v\\reg, v\\reg',
  '.endm',
}, vim.fs.joinpath(work, 'macros.inc'))
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
    local path = vim.fs.joinpath(work, name)
    vim.fn.writefile(vim.split(text, '\n'), path)
    return editor:lua(([[
      vim.cmd.edit(%q)
      local filetype = vim.bo.filetype
      vim.cmd.bwipeout()
      return filetype
    ]]):format(path))
  end
  equal(filetype_of('ours.s', '  v_mov_b32 v0, 1.0\n  s_endpgm\n'), 'gcn', 'assembly of ours')
  equal(filetype_of('foreign.s', '  mov eax, 1\n  ret\n'), 'asm', 'assembly of another machine')
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
  editor:eventually('the floating window', function()
    return editor:lua([[
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then
          local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
          return table.concat(lines, '\n'):find('SOPP', 1, true) ~= nil
        end
      end
      return false
    ]])
  end)
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

step('Neovim and the server end cleanly', function()
  local processes = editor:processes('tungsten')
  assert(#processes > 0, 'the server does not run')
  editor:leave()
  local ended = vim.wait(10000, function()
    return not vim.iter(processes):any(Editor.is_running)
  end, 50)
  assert(ended, 'the server outlives the editor: ' .. vim.inspect(processes))
end)

step('a missing server costs one message', function()
  local without = Editor.start(
    plugin,
    { cmd = { vim.fs.joinpath(work, 'no-such-program'), 'lsp' } },
    vim.fs.joinpath(work, 'neovim-without.log')
  )
  without:command('edit ' .. vim.fn.fnameescape(file))
  without:command('edit ' .. vim.fn.fnameescape(file))
  local notes = without:eventually('the message', function()
    local found = without:lua('return _G.notes')
    return #found > 0 and found
  end)
  equal(#notes, 1, 'messages')
  assert(notes[1].text:find('no%-such%-program') and notes[1].text:find('PATH'), notes[1].text)
  without:quit()
end)

local context = {
  server = server,
  plugin = plugin,
  example = example,
  file = file,
  work = work,
  first_line = line_of('DP3'),
  texture_line = texture_line,
  end_line = end_line,
}
for _, theme in ipairs({ 'views', 'costs', 'language', 'settings', 'upkeep' }) do
  require(theme)(context)
end

print(('neovim: %d passed, %d failed\n'):format(steps.passed, steps.failed))
os.exit(steps.failed == 0 and steps.passed > 0 and 0 or 1)
