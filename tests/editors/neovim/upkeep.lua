--- What keeps the plugin alive: what is missing is told once, versions are compared,
--- the log, restarting, and being loaded late.
local Editor = require('editor')
local steps = require('steps')
local step, equal = steps.step, steps.equal

--- A program that runs the server where every libLLVM of this machine is hidden from
--- it; nil where this machine does not let a process have files of its own.
---@param context table
---@return string?
local function server_without_llvm(context)
  local able = pcall(function()
    assert(vim.system({ 'unshare', '--mount', 'true' }):wait().code == 0)
  end)
  if not able then
    return nil
  end
  local found = vim.system({ context.server, 'doctor' }, { text = true }):wait().stdout
  local program = vim.fs.joinpath(context.work, 'without-llvm')
  local lines = { '#!/bin/sh', 'exec unshare --mount sh -ec "' }
  for library in found:gmatch(' (/%S*libLLVM%S*)') do
    table.insert(lines, ("mount --bind /dev/null '%s'"):format(library))
  end
  table.insert(lines, ("exec '%s' $*\""):format(context.server))
  vim.fn.writefile(lines, program)
  assert(vim.uv.fs_chmod(program, tonumber('755', 8)))
  return program
end

--- Waits until another client serves the source and the view of its machine code, and
--- gives that client's id.
---@param before integer the client of before
---@return integer
local function served_anew(editor, before)
  local client = editor:served(before)
  editor:eventually('the view’s server', function()
    return editor:lua(
      [[
        local client = ...
        return vim.iter(vim.api.nvim_list_bufs()):any(function(buffer)
          return vim.startswith(vim.api.nvim_buf_get_name(buffer), 'tungsten-gcn:')
            and vim.lsp.buf_is_attached(buffer, client)
        end)
      ]],
      client
    )
  end)
  return client
end

---@param context table
return function(context)
  local open = 'edit ' .. vim.fn.fnameescape(context.file)

  step('a library that cannot be used is told, and that another one is', function()
    local library = vim.fs.joinpath(context.work, 'no-libLLVM.so')
    local editor = context.start('other-llvm', { llvm = library })
    editor:command(open)
    local note = editor:note(library .. ' could not be used')
    assert(note.text:find('compiled with /%S+ instead'), note.text)
    editor:command('checkhealth tungsten')
    local report = editor:lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')
    assert(report:find('unusable.*no%-libLLVM'), report)
    editor:quit()
  end)

  local without_llvm = server_without_llvm(context)
  if without_llvm == nil then
    print('skipped: a missing LLVM costs one message (libLLVM cannot be hidden here)\n')
  else
    step('a missing LLVM costs one message, which says what works without it', function()
      local editor = context.start('no-llvm', { cmd = { without_llvm, 'lsp' } })
      editor:command(open)
      local first = editor:served()
      local note = editor:note('not compiled')
      assert(note.text:find('diagnostics, hovers', 1, true) and note.text:find('restart'), note.text)
      editor:command('Tungsten status')
      editor:float('LLVM      none')
      editor:keys('<Esc>j')
      editor:command('Tungsten compiled')
      editor:window('the reason in the bar', function(window)
        return window.bar:find('◌.*libLLVM') ~= nil
      end)
      -- What needs no compiler is there.
      editor:go_to_line(context.texture_line)
      editor:keys('OBOGUS TEMP[0].x<Esc>')
      editor:eventually('the error', function()
        return editor:errors() > 0
      end)
      editor:keys('u')
      editor:command('checkhealth tungsten')
      local report = editor:lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')
      assert(report:find('WARNING[^\n]*tungsten doctor') and report:find('Install a libLLVM', 1, true), report)
      editor:command('bwipeout')
      editor:settle()
      editor:command('Tungsten restart')
      editor:served(first)
      editor:settle()
      local texts = editor:lua('return vim.tbl_map(function(each) return each.text end, _G.notes)')
      equal(texts, { note.text }, 'messages')
      editor:quit()
    end)
  end

  step('the view says why there is no code', function()
    local editor = context.start('off', { compile = false })
    editor:command(open)
    editor:served()
    editor:command('Tungsten compiled')
    editor:window('the reason', function(window)
      return window.bar:find('◌') ~= nil and window.bar:find('compilation is off') ~= nil
    end)
    equal(editor:lua('return _G.notes'), {}, 'messages')
    editor:quit()
  end)

  step('a server of another version is told, and :checkhealth tells it too', function()
    local editor = context.start('version')
    editor:lua([[package.loaded['tungsten.version'] = '9.8.7']])
    editor:command(open)
    local note = editor:note('the plugin 9.8.7')
    assert(note.text:find('the server is version %d+%.%d+%.%d+'), note.text)
    editor:command('checkhealth tungsten')
    local report = editor:lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')
    assert(report:find('WARNING.*the plugin 9.8.7'), report)
    editor:lua([[package.loaded['tungsten.version'] = nil]])
    editor:command('checkhealth tungsten')
    report = editor:lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')
    assert(report:find('the plugin is of the same version', 1, true), report)
    editor:quit()
  end)

  step('a restart brings server, views and decorations back; the log opens', function()
    local editor = context.start('restart')
    local first = editor:compile(context.file)
    editor:settle()
    editor:command('Tungsten restart')
    served_anew(editor, first)
    editor:go_to_line(context.end_line)
    editor:keys('OCOS OUT[0].x, TEMP[0].xxxx<Esc>')
    editor:code('v_cos_f32')
    editor:command('Tungsten log')
    equal(editor:lua([[return vim.fn.expand('%:t')]]), 'lsp.log', 'the log')
    editor:command('bwipeout')
    editor:quit()
  end)

  step('a server that is killed is started again, with views and decorations', function()
    local editor = context.start('killed')
    local client = editor:compile(context.file)
    -- Three times; then it would go on for ever.
    for time = 1, 4 do
      -- Else the recording would show a question that nobody answered.
      editor:settle()
      local processes = editor:processes('tungsten lsp')
      assert(#processes > 0, 'the server does not run')
      for _, pid in ipairs(processes) do
        vim.uv.kill(pid, 'sigkill')
      end
      if time == 4 then
        break
      end
      client = served_anew(editor, client)
      editor:go_to_line(context.end_line)
      editor:keys(({ 'OCOS OUT[0].x', 'OSIN OUT[0].y', 'OEX2 OUT[0].z' })[time] .. ', TEMP[0].xxxx<Esc>')
      editor:code(({ 'v_cos_f32', 'v_sin_f32', 'v_exp_f32' })[time])
    end
    editor:note('ended again and again')
    local restarts = vim.tbl_filter(function(note)
      return note.text:find('was started again', 1, true) ~= nil
    end, editor:lua('return _G.notes'))
    equal(#restarts, 3, 'messages of restarts')
    editor:command('Tungsten restart')
    editor:served()
    editor:quit()
  end)

  step('a question that an edit has overtaken is asked again', function()
    local list = vim.fs.joinpath(context.work, 'interrupted')
    local interrupt = vim.fs.joinpath(context.here, '..', 'protocol', 'interrupt.py')
    local editor = context.start('interrupted', { cmd = { interrupt, list, context.server, 'lsp' } })
    editor:compile(context.file)
    editor:command('Tungsten pin')
    editor:note('pinned for polaris10')
    editor:command('Tungsten compare')
    editor:eventually('the comparison', function()
      local windows = editor:windows()
      return #windows == 2 and windows[1].diff and windows[2].text:find('image_sample') ~= nil
    end)
    editor:command('tabclose')
    editor:command('Tungsten unpin')
    editor:note('forgotten')
    editor:eventually('the sums', function()
      return editor:lua([[return require('tungsten').status()]]):find('^polaris10') ~= nil
    end)
    local kernel = vim.fs.joinpath(context.work, 'interrupted.gcn')
    vim.fn.writefile({ '.rept 2', 's_nop 0', '.endr' }, kernel)
    editor:command('only | edit ' .. vim.fn.fnameescape(kernel))
    editor:served()
    editor:command('Tungsten expand')
    editor:window('the expansion', function(window)
      return window.bar:find('expanded') ~= nil and select(2, window.text:gsub('s_nop', '')) == 2
    end)
    local methods = vim.fn.uniq(vim.fn.sort(vim.fn.readfile(list)))
    local wanted = { 'compare', 'compiledCode', 'costs', 'expandMacro', 'pinBaseline', 'unpinBaseline' }
    equal(
      methods,
      vim.tbl_map(function(name)
        return 'tungsten/' .. name
      end, wanted),
      'what was interrupted'
    )
    editor:quit()
  end)

  step('loaded after a file was opened, it serves that file, once', function()
    local editor = Editor.bare(context.log('lazy'))
    editor:lua(
      [[
        local plugin, options, work = ...
        vim.g.tungsten = options
        vim.fn.mkdir(work .. '/pack/managed/opt', 'p')
        vim.uv.fs_symlink(plugin, work .. '/pack/managed/opt/tungsten')
        vim.opt.packpath:prepend(work)
        vim.cmd('filetype plugin on | syntax on')
      ]],
      context.plugin,
      { cmd = { context.server, 'lsp' } },
      context.work
    )
    editor:command(open)
    equal(editor:lua('return vim.fn.exists(":Tungsten")'), 0, 'loaded already')
    -- What managers do with a plugin that is for some file types.
    editor:command('packadd tungsten')
    editor:command('setfiletype tgsi')
    editor:served()
    vim.wait(300)
    equal(editor:lua([[return #vim.lsp.get_clients({ name = 'tungsten' })]]), 1, 'servers')
    editor:command('Tungsten compiled')
    editor:code('image_sample')
    editor:quit()
  end)

  step('the plugin names the version of the server', function()
    local own = dofile(vim.fs.joinpath(context.plugin, 'lua', 'tungsten', 'version.lua'))
    local said = vim.system({ context.server, '--version' }, { text = true }):wait()
    equal(vim.trim(said.stdout), 'tungsten ' .. own, 'version')
  end)

  step('every chip that the program knows is offered, the wished for first', function()
    local said = vim.system({ context.server, 'targets' }, { text = true }):wait().stdout
    local editor = context.start('chips', { enable = false, targets = { 'tahiti', 'vega10' } })
    local function offered(line)
      return editor:lua([[return vim.fn.getcompletion(..., 'cmdline')]], line)
    end
    local chips = offered('Tungsten compare ')
    assert(#chips > 30, vim.inspect(chips))
    equal(vim.list_slice(chips, 1, 2), { 'tahiti', 'vega10' }, 'the first')
    for _, chip in ipairs(chips) do
      assert(said:find('\n  ' .. vim.pesc(chip) .. ' +gfx'), 'no such chip: ' .. chip)
    end
    equal(#chips, select(2, said:gsub('\n  %S+ +gfx', '')), 'chips')
    equal(offered('Tungsten compiled haw'), { 'hawaii' }, 'for compiled code')
    editor:quit()
  end)

  step('the help has every command and option', function()
    local help = table.concat(vim.fn.readfile(vim.fs.joinpath(context.plugin, 'doc', 'tungsten.txt')), '\n')
    local editor = context.start('help', { enable = false })
    local commands = editor:lua([[return vim.fn.getcompletion('Tungsten ', 'cmdline')]])
    assert(#commands > 12, vim.inspect(commands))
    for _, command in ipairs(commands) do
      assert(help:find('*:Tungsten-' .. command .. '*', 1, true), 'no tag of ' .. command)
    end
    local source = table.concat(vim.fn.readfile(vim.fs.joinpath(context.plugin, 'lua', 'tungsten', 'init.lua')), '\n')
    local options = 0
    for option in source:match('%-%-%-@class tungsten%.Options[^\n]*\n(.*)'):gmatch('%-%-%-@field ([%w_]+)%?') do
      options = options + 1
      assert(help:find('\n      ' .. option .. ' = ', 1, true), 'no word of the option ' .. option)
    end
    assert(options >= 9, options)
    local settings =
      table.concat(vim.fn.readfile(vim.fs.joinpath(context.plugin, 'lua', 'tungsten', 'settings.lua')), '\n')
    local own = settings:match('%-%-%-@class tungsten%.Settings[^\n]*\n(.*)')
    for setting in own:gmatch('%-%-%-@field ([%w_]+)%?') do
      assert(help:find('\n`' .. setting, 1, true), 'no word of the setting ' .. setting)
      options = options + 1
    end
    assert(options > 20, options)
    editor:quit()
  end)
end
