--- A shader as it is read and written with its machine code beside it: hints, signs,
--- hovers, the link of the cursors, errors, and how the editor ends.
local Editor = require('editor')
local steps = require('steps')
local step, equal = steps.step, steps.equal

---@param context table
return function(context)
  local editor = context.start('source')
  local file, texture_line, end_line = context.file, context.texture_line, context.end_line

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

  step('a TGSI file starts the server', function()
    editor:command('edit ' .. vim.fn.fnameescape(file))
    equal(editor:lua('return vim.bo.filetype'), 'tgsi', 'file type')
    equal(editor:lua('return vim.b.current_syntax'), 'tgsi', 'syntax')
    editor:served()
  end)

  step('a code lens tells chip, registers and waves', function()
    editor:eventually('the lens', function()
      local titles = editor:lua([[
        return vim.tbl_map(function(lens) return lens.command and lens.command.title or '' end, vim.lsp.codelens.get(0))
      ]])
      return vim.iter(titles):any(function(title)
        return title:find('polaris10') and title:find('VGPR')
      end)
    end)
  end)

  step('a good shader has no error', function()
    local found = editor:answer('textDocument/diagnostic').items
    equal(
      vim.iter(found):any(function(item)
        return item.severity == vim.lsp.protocol.DiagnosticSeverity.Error
      end),
      false,
      'errors of the server'
    )
    equal(editor:errors(), 0, 'errors')
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
    editor:float('TEX')
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
    local origins = editor:answer('tungsten/compiledCode').sourceLines
    local linked = 0
    for number = 1, #context.source_lines do
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
      end)
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
      return editor:errors() > 0
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

  step('fixing it brings everything back', function()
    editor:keys('u')
    editor:eventually('no error', function()
      return editor:errors() == 0
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
    equal(editor:errors(), 0, 'errors')
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
    editor:float('polaris10')
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

  step(':checkhealth finds the server', function()
    editor:command('checkhealth tungsten')
    local report = editor:lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')
    assert(report:find('the server runs for'), report)
    assert(not report:find('ERROR'), report)
  end)

  step('Neovim and the server end cleanly', function()
    local processes = editor:processes('tungsten')
    assert(#processes > 0, 'the server does not run')
    editor:leave()
    local ended = vim.wait(Editor.patience, function()
      return not vim.iter(processes):any(Editor.is_running)
    end, 50)
    assert(ended, 'the server outlives the editor: ' .. vim.inspect(processes))
  end)

  step('a missing server costs one message', function()
    local program = vim.fs.joinpath(context.work, 'no-such-program')
    local without = context.start('without', { cmd = { program, 'lsp' } })
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
end
