--- Find a faster form: searched in the background, shown in Vim's diff, applied as an edit.
local steps = require('steps')
local step, equal = steps.step, steps.equal

---@param context table
return function(context)
  local editor = context.start('advice', { advice = { seconds = 5 } })
  local planted = vim.fs.joinpath(context.here, '..', '..', 'data', 'advice', 'spoiled', 'rows_early_waits.s')
  local file = vim.fs.joinpath(context.work, 'slow.gcn')
  assert(vim.uv.fs_copyfile(planted, file))
  local before = vim.fn.readfile(file)

  local function note(words)
    return function()
      return editor:lua(
        [[
          local words = ...
          for _, note in ipairs(_G.notes) do
            if note.text:find(words, 1, true) then
              return note.text
            end
          end
          return false
        ]],
        words
      )
    end
  end

  step('a search shows how far it is, typing goes on, and it can be ended', function()
    editor:command('edit ' .. vim.fn.fnameescape(file))
    editor:served()
    editor:go_to_line(12)
    editor:lua([[
      _G.reports = {}
      vim.api.nvim_create_autocmd('LspProgress', {
        callback = function(event)
          local value = event.data.params.value
          if type(value) == 'table' and value.kind == 'report' then
            table.insert(_G.reports, value.message)
          end
        end,
      })
    ]])
    editor:command('Tungsten advise 600')
    editor:eventually('how far it is', function()
      return editor:lua([[return #_G.reports > 0 and _G.reports[#_G.reports]:find('variants, best') ~= nil]])
    end)
    editor:keys('Os_nop 0<Esc>')
    equal(editor:lua([[return vim.trim(vim.api.nvim_get_current_line())]]), 's_nop 0', 'what was typed')
    local hover = editor:answer('textDocument/hover', 'slow.gcn', { position = { line = 11, character = 4 } })
    assert(vim.inspect(hover):find('s_nop', 1, true), 'a hover beside the search')
    editor:command('Tungsten advise stop')
    editor:eventually('the end', note('the search was cancelled'))
    editor:command('undo')
  end)

  step('what is found is shown beside the text, and <CR> applies it', function()
    editor:lua([[
      vim.lsp.buf.code_action({
        context = { only = { 'refactor.rewrite' }, diagnostics = {} },
        filter = function(action) return action.title == 'Find a faster form' end,
        apply = true,
      })
    ]])
    local said = editor:eventually('the proof', note('the same on 32 random inputs in the emulator'))
    assert(said:find('clocks on gfx900', 1, true), said)
    local windows = editor:lua([[
      return vim.tbl_map(function(window)
        return { vim.wo[window].diff, vim.wo[window].winbar }
      end, vim.api.nvim_tabpage_list_wins(0))
    ]])
    equal(#windows, 2, 'windows side by side')
    assert(windows[1][1] and windows[2][1], "in Vim's diff")
    equal(windows[1][2], ' as it is', 'the first')
    editor:keys('<CR>')
    local now = editor:lua([[return vim.api.nvim_buf_get_lines(0, 0, -1, false)]])
    equal(editor:lua([[return vim.fn.expand('%:t')]]), 'slow.gcn', 'the buffer')
    assert(not vim.deep_equal(now, before), 'the text is the faster one')
    editor:command('undo')
    equal(editor:lua([[return vim.api.nvim_buf_get_lines(0, 0, -1, false)]]), before, 'one undo brings it back')
  end)

  step('what was found for an older text is not applied', function()
    editor:lua([[_G.notes = {}]])
    editor:command('Tungsten advise')
    editor:eventually('the same answer, remembered', note('the same on 32 random inputs'))
    editor:command('tabprevious')
    editor:keys('Os_nop 0<Esc>')
    editor:command('tabnext')
    editor:keys('<CR>')
    editor:eventually('why not', note('the text has changed since it was searched'))
    editor:quit()
  end)
end
