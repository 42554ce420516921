--- What is shown of a shader beside its source: several views of it, their colours
--- and folds, comparisons, and a session that brings them back.
local steps = require('steps')
local step, equal = steps.step, steps.equal

--- The lines of the extmarks that a namespace has in the buffer of a window, from 1.
local function marked(editor, namespace, ending)
  return editor:lua(
    [[
      local namespace, ending = ...
      for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
        local buffer = vim.api.nvim_win_get_buf(window)
        if vim.api.nvim_buf_get_name(buffer):find(ending, 1, true) then
          local found = {}
          local id = vim.api.nvim_get_namespaces()[namespace]
          for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, id, 0, -1, { details = true })) do
            found[tostring(mark[2] + 1)] = mark[4].line_hl_group
          end
          return found
        end
      end
      return {}
    ]],
    namespace,
    ending
  )
end

local function of_chip(chip, ending)
  return function(window)
    local is_of_chip = window.name:find(':/' .. chip .. '.', 1, true) ~= nil
    return is_of_chip and window.name:find('.0.' .. ending .. '?', 1, true) ~= nil and window.text ~= ''
  end
end

---@param context table
return function(context)
  local editor = context.start('views')
  local file = context.copy('views.tgsi')

  step('whatever a text becomes, replacing what differs gives it', function()
    local fill = dofile(vim.fs.joinpath(context.plugin, 'lua', 'tungsten', 'text.lua')).fill
    math.randomseed(7)
    local function some()
      local lines = {}
      for number = 1, math.random(1, math.random(1, 300)) do
        lines[number] = tostring(math.random(1, 12))
      end
      return lines
    end
    local buffer = vim.api.nvim_create_buf(false, true)
    for _ = 1, 500 do
      local wanted = some()
      fill(buffer, wanted)
      equal(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), wanted, 'lines')
    end
    vim.api.nvim_buf_delete(buffer, { force = true })
  end)

  step('two chips and the IR stand side by side, and all follow the source', function()
    editor:command('edit ' .. vim.fn.fnameescape(file))
    editor:served()
    editor:command('Tungsten compiled')
    local first = editor:window('polaris10', of_chip('polaris10', 'gcn'))
    equal(first.filetype, 'gcn', 'file type')
    assert(vim.startswith(first.bar, ' views.tgsi · polaris10'), first.bar)
    editor:window('its code', function(window)
      return of_chip('polaris10', 'gcn')(window) and window.text:find('v_mul_f32', 1, true) ~= nil
    end)
    editor:focus('polaris10.views.tgsi.0.gcn')
    local hidden = editor:lua([[
      local line = vim.fn.search('v_mul_f32', 'cw')
      local text = vim.fn.getline(line)
      local at = text:find('// ', 1, true)
      return { vim.wo.conceallevel, vim.fn.synconcealed(line, at)[1], vim.fn.synconcealed(line, 6)[1] }
    ]])
    equal(hidden, { 2, 1, 0 }, 'offsets and words are hidden, instructions are not')
    editor:focus(file)
    editor:command('Tungsten compiled tahiti beside')
    editor:window('tahiti', of_chip('tahiti', 'gcn'))
    editor:command('Tungsten compiled ir beside')
    local ir = editor:window('the IR', of_chip('polaris10', 'll'))
    equal(ir.filetype, 'llvm', 'file type of the IR')
    assert(ir.text:find('define') and ir.bar:find('LLVM IR'), ir.bar)
    equal(#editor:windows(), 4, 'windows')
    editor:go_to_line(context.texture_line)
    for _, view in ipairs({
      { 'polaris10.views.tgsi.0.gcn', 'image_sample' },
      { 'tahiti.views.tgsi.0.gcn', 'image_sample' },
      { 'polaris10.views.tgsi.0.ll', 'sample' },
    }) do
      editor:window('the cursor of ' .. view[1], function(window)
        local line = vim.split(window.text, '\n')[window.cursor]
        local own = marked(editor, 'tungsten.linked', view[1])
        return window.name:find(view[1], 1, true) and own[tostring(window.cursor)] == 'TungstenLinked' and line ~= nil
      end)
      local lines = marked(editor, 'tungsten.linked', view[1])
      local text = vim.split(
        editor:window(view[1], function(window)
          return window.name:find(view[1], 1, true) ~= nil
        end).text,
        '\n'
      )
      assert(
        vim.iter(lines):any(function(number)
          return text[tonumber(number)]:find(view[2], 1, true) ~= nil
        end),
        view[1] .. ' has no ' .. view[2] .. ' marked: ' .. vim.inspect(lines)
      )
    end
  end)

  step('status lines call a view by its name, unless users have one of their own', function()
    editor:focus('polaris10.views.tgsi.0.ll')
    local function line()
      return editor:lua([[
        return vim.trim(vim.api.nvim_eval_statusline(vim.wo.statusline, { winid = vim.api.nvim_get_current_win() }).str)
      ]])
    end
    equal(line(), 'views.tgsi · polaris10 · LLVM IR', 'the line of the IR')
    editor:command('set statusline=own | Tungsten compiled tokens beside')
    editor:window('the tokens', of_chip('polaris10', 'tokens'))
    editor:focus('polaris10.views.tgsi.0.tokens')
    equal(line(), 'own', 'the line of the user')
    equal(editor:lua('return vim.b.tungsten_title'), 'views.tgsi · polaris10 · tokens', 'the title')
    editor:command('close | set statusline=')
  end)

  step('the cursor in one view takes the source and the other views with it', function()
    editor:focus('tahiti.views.tgsi.0.gcn')
    editor:keys('gg/v_rcp<CR>')
    local wanted = editor:window('the source', function(window)
      return window.filetype == 'tgsi' and vim.split(window.text, '\n')[window.cursor]:find('RCP') ~= nil
    end).cursor
    editor:window('the other chip', function(window)
      return window.name:find('polaris10.views.tgsi.0.gcn', 1, true)
        and marked(editor, 'tungsten.linked', 'polaris10.views.tgsi.0.gcn')[tostring(window.cursor)] ~= nil
        and vim.split(window.text, '\n')[window.cursor]:find('RCP') ~= nil
    end)
    equal(marked(editor, 'tungsten.linked', file), { [tostring(wanted)] = 'TungstenLinked' }, 'marks of the source')
  end)

  step('a line and its code have one colour, neighbours have not, and it can be switched off', function()
    local function groups(ending)
      return marked(editor, 'tungsten.groups', ending)
    end
    local source, code = groups(file), groups('polaris10.views.tgsi.0.gcn')
    local texture = source[tostring(context.texture_line)]
    assert(texture and texture:find('^TungstenGroup%d$'), vim.inspect(source))
    local text = vim.split(editor:window('the code', of_chip('polaris10', 'gcn')).text, '\n')
    local checked = 0
    for number, line in ipairs(text) do
      if line:find('image_sample', 1, true) then
        equal(code[tostring(number)], texture, 'the colour of the fetch')
        checked = checked + 1
      end
    end
    equal(checked, 1, 'fetches')
    assert(source[tostring(context.texture_line + 1)] ~= texture, 'the next line has the same colour')
    local ground = editor:lua([[
      local seen = {}
      for number = 1, 8 do
        seen[vim.api.nvim_get_hl(0, { name = 'TungstenGroup' .. number }).bg or 'none'] = true
      end
      return vim.tbl_count(seen)
    ]])
    equal(ground, 8, 'different colours')
    editor:command('Tungsten decorations off')
    equal(
      { groups(file), groups('polaris10.views.tgsi.0.gcn') },
      { vim.empty_dict(), vim.empty_dict() },
      'colours that are off'
    )
    editor:command('Tungsten decorations on')
    -- Colours are kept while lines are edited, and begin anew where there were none.
    local function numbers(of)
      local keys = vim.tbl_keys(of)
      table.sort(keys)
      return keys
    end
    equal(numbers(groups('polaris10.views.tgsi.0.gcn')), numbers(code), 'lines that have a colour again')
  end)

  step('a statement folds to one line, with what it became counted', function()
    editor:focus('polaris10.views.tgsi.0.gcn')
    editor:lua([[
      vim.fn.cursor(1, 1)
      vim.fn.search('^    ; 21: TEX')
    ]])
    local function closed()
      return editor:lua([[return { vim.fn.foldclosed('.'), vim.fn.foldclosedend('.'), vim.fn.foldtextresult('.') }]])
    end
    equal(closed()[1], -1, 'all is open at first')
    editor:keys('zc')
    local fold = editor:eventually('the fold', function()
      local found = closed()
      return found[1] ~= -1 and found
    end)
    local lines = editor:lua('return vim.api.nvim_buf_get_lines(0, ...)', fold[1], fold[2], false)
    assert(fold[3]:find('21: TEX', 1, true) and fold[3]:find(('· %d instructions'):format(#lines), 1, true), fold[3])
    editor:keys('zczc')
    editor:eventually('the block’s fold', function()
      return editor:lua([[return vim.fn.getline(vim.fn.foldclosed('.'))]]) == 'main:'
    end)
    editor:keys('zR')
  end)

  step('an edit touches nothing but its own: folds stay closed, lines keep their colours', function()
    editor:lua([[
      vim.fn.cursor(1, 1)
      vim.fn.search('^    ; 21: TEX')
      vim.cmd('normal! zc')
    ]])
    local colours = marked(editor, 'tungsten.groups', file)
    local above = context.texture_line + 3
    local function edit(first, last, lines)
      editor:lua(
        [[
        local file, first, last, lines = ...
        local source = vim.fn.bufnr(file)
        vim.api.nvim_buf_set_lines(source, first, last, false, lines)
        vim.api.nvim_exec_autocmds('TextChanged', { buffer = source })
      ]],
        file,
        first,
        last,
        lines
      )
    end
    edit(above, above, { 'COS TEMP[1].x, TEMP[1].xxxx' })
    editor:window('the cosine', function(window)
      return of_chip('polaris10', 'gcn')(window) and window.text:find('v_cos_f32') ~= nil
    end)
    equal(editor:lua([[return vim.fn.foldclosed('.') ~= -1]]), true, 'the fold is closed')
    editor:keys('zR')
    local now = marked(editor, 'tungsten.groups', file)
    local kept, changed = 0, {}
    for line, colour in pairs(colours) do
      local moved = tostring(tonumber(line) + (tonumber(line) > above and 1 or 0))
      if now[moved] == colour then
        kept = kept + 1
      else
        changed[line] = now[moved] or 'none'
      end
    end
    -- The compiler may drop what a line became, or share it with another.
    assert(vim.tbl_count(changed) <= 3 and kept > 20, vim.inspect(changed))
    local own = now[tostring(above + 1)]
    assert(own and own ~= now[tostring(above)] and own ~= now[tostring(above + 2)], vim.inspect(now))
    edit(above, above + 1, {})
    editor:window('the code without it', function(window)
      return of_chip('polaris10', 'gcn')(window) and not window.text:find('v_cos_f32')
    end)
  end)

  step('the view is a document: hovers and the outline work in it', function()
    editor:keys('/image_sample<CR>K')
    editor:float('MIMG')
    editor:keys('<Esc>j')
    editor:outline()
  end)

  step('the view tells what its lines cost, as any assembly', function()
    editor:eventually('signs and hints', function()
      local found = editor:lua([[
        local signs = vim.api.nvim_get_namespaces()['tungsten.heat']
        return { #vim.api.nvim_buf_get_extmarks(0, signs, 0, -1, {}), #vim.lsp.inlay_hint.get({ bufnr = 0 }) }
      ]])
      return found[1] > 10 and found[2] > 2
    end)
    assert(editor:lua([[return require('tungsten').status()]]):find('^polaris10 · %d+ waves'), 'no sums')
    editor:command('Tungsten costs')
    editor:float('Waves per SIMD')
    editor:keys('<Esc>j')
    editor:command('Tungsten stalls')
    editor:eventually('the list', function()
      return editor:lua('return vim.bo.buftype') == 'quickfix'
    end)
    editor:keys('<CR>')
    editor:eventually('the jump into the view', function()
      return editor:lua([[return vim.fn.bufname():find('polaris10.views.tgsi.0.gcn', 1, true) ~= nil]])
    end)
    editor:command('cclose')
    -- The places of a register that have to do with each other.
    editor:lua([[
      vim.fn.cursor(1, 1)
      vim.fn.search('image_sample')
      vim.fn.search('v\\[')
      vim.lsp.buf.document_highlight()
    ]])
    editor:eventually('its places', function()
      return editor:lua([[
        local references = vim.api.nvim_get_namespaces()['nvim.lsp.references']
        return references and #vim.api.nvim_buf_get_extmarks(0, references, 0, -1, {}) or 0
      ]]) > 1
    end)
    editor:lua('vim.lsp.buf.clear_references()')
  end)

  step('bytes, then tokens take the place of the code', function()
    editor:command('Tungsten compiled bytes')
    editor:window('the bytes', function(window)
      return window.bar:find('bytes') ~= nil and window.text:find('\n%s*%x%x%x%x+%s+%x%x %x%x %x%x %x%x') ~= nil
    end)
    equal(#editor:windows(), 4, 'windows')
    editor:command('Tungsten compiled tokens')
    local tokens = editor:window('the tokens', function(window)
      return window.bar:find('tokens') ~= nil and window.text:find('%x%x%x%x%x%x%x%x.*TEX') ~= nil
    end)
    equal(tokens.filetype, '', 'file type of tokens')
    editor:command('only')
  end)

  step('what is pinned is compared with what is typed, live', function()
    editor:command('edit ' .. vim.fn.fnameescape(file))
    editor:command('Tungsten compare')
    editor:note('nothing is pinned')
    editor:command('Tungsten pin')
    local pinned = editor:note('Tungsten: pinned for polaris10')
    assert(pinned.text:find('V %d+, S %d+, %d+ waves, %d+ clk, %d+ instructions'), pinned.text)
    editor:command('Tungsten compare')
    editor:eventually('two windows in diff mode', function()
      local windows = editor:windows()
      return #windows == 2 and windows[1].diff and windows[2].diff
    end)
    local before, now = unpack(editor:windows())
    equal(before.text, now.text, 'nothing was typed yet')
    assert(before.bar:find('baseline polaris10  V %d+  S %d+  waves %d+  clk %d+  instr %d+'), before.bar)
    assert(not now.bar:find('%('), now.bar)
    equal(editor:lua('return vim.b.tungsten_title'), 'views.tgsi · now polaris10', 'what it is called')
    equal(before.text:find('image_sample') ~= nil, true, 'code')
    editor:lua(
      [[
      local source = vim.fn.bufnr(...)
      vim.api.nvim_win_call(vim.fn.win_findbuf(source)[1], function()
        local line = vim.fn.search('^ *28: END', 'nw')
        vim.fn.append(line - 1, 'COS OUT[0].x, TEMP[0].xxxx')
        vim.cmd('doautocmd TextChanged')
      end)
    ]],
      file
    )
    local windows = editor:eventually('the cosine on one side', function()
      local found = editor:windows()
      return found[2].text:find('v_cos_f32') and found
    end)
    equal(windows[1].text, before.text, 'the pinned side')
    assert(windows[2].bar:find('instr %d+ %([+-]%d+%)'), windows[2].bar)
    local different = editor:lua([[
      local lines = 0
      for number = 1, vim.fn.line('$') do
        lines = lines + (vim.fn.diff_hlID(number, 1) ~= 0 and 1 or 0)
      end
      return { lines, vim.fn.line('$') }
    ]])
    assert(different[1] > 0 and different[1] < different[2], vim.inspect(different))
    editor:command('tabclose')
    editor:command('Tungsten unpin')
    editor:note('forgotten')
    editor:command('Tungsten compare tahiti')
    local chips = editor:eventually('two chips', function()
      local found = editor:windows()
      return #found == 2 and found[2].diff and found
    end)
    assert(chips[1].bar:find('^ polaris10  V') and chips[2].bar:find('^ tahiti  V'), chips[2].bar)
    editor:command('tabclose')
    editor:command('edit!')
  end)

  step('a view that is closed leaves nothing, and a source takes its views with it', function()
    --- What still watches shaders and views.
    local function watching()
      return editor:lua([[
        local found = {}
        for _, each in ipairs(vim.api.nvim_get_autocmds({})) do
          if (each.group_name or ''):find('^tungsten%.source') or (each.group_name or ''):find('^tungsten%.view') then
            found[each.group_name] = true
          end
        end
        return vim.tbl_keys(found)
      ]])
    end
    editor:command('only')
    editor:eventually('no view', function()
      return #watching() == 0
    end)
    equal(marked(editor, 'tungsten.groups', file), vim.empty_dict(), 'colours')
    equal(marked(editor, 'tungsten.linked', file), vim.empty_dict(), 'links')
    equal(editor:lua('return vim.wo.winhighlight'), '', 'highlights of the window')
    editor:compile(context.copy('other.tgsi'))
    equal(editor:lua('return vim.bo.filetype'), 'tgsi', 'the window that one is in')
    editor:command('bwipeout')
    editor:eventually('one window', function()
      return #editor:windows() == 1
    end)
    equal(watching(), {}, 'what watches')
    editor:command('edit ' .. vim.fn.fnameescape(file))
  end)

  local session = vim.fs.joinpath(context.work, 'session.vim')
  step('a stored session brings the views back', function()
    editor:command('only | Tungsten compiled')
    editor:window('the code', of_chip('polaris10', 'gcn'))
    editor:command('Tungsten compiled bytes beside')
    editor:window('the bytes', of_chip('polaris10', 'hex'))
    editor:command('mksession! ' .. vim.fn.fnameescape(session))
    editor:quit()
    local again = context.start('session')
    again:command('source ' .. vim.fn.fnameescape(session))
    local code = again:window('the code', function(window)
      return of_chip('polaris10', 'gcn')(window) and window.text:find('image_sample') ~= nil
    end)
    again:window('the bytes', function(window)
      return of_chip('polaris10', 'hex')(window) and window.text:find('%x%x %x%x') ~= nil
    end)
    equal(#again:windows(), 3, 'windows')
    assert(code.bar:find('polaris10') and not code.bar:find('◌'), code.bar)
    equal(again:lua('return vim.tbl_map(function(note) return note.text end, _G.notes)'), {}, 'messages')
    again:quit()
  end)
end
