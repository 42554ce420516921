--- A line that is typed letter by letter below two mistakes, one of which it might correct:
--- what is shown on all other lines stays as it is at every letter, until typing pauses.
local steps = require('steps')
local step, equal = steps.step, steps.equal

local shader = [[
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SAMP[1]
DCL TEMP[0..1]
  0: TEX TEMP[0], IN[0], SAMP[0], 2D
  1: MUL TEMP[0], TEMP[0], TEMP[5]
  2: MOV TEMP[1], TEMP[0]

  3: MOV OUT[0], TEMP[1]
  4: END
]]
local typed_line = 10
local mistakes = { '5: tgsi::unused-declaration', '8: tgsi::undeclared-register' }
local typed = 'ADD TEMP[1], TEMP[1], IN[0].xxxx'

---@param context table
return function(context)
  local editor = context.start('typing')
  local file = vim.fs.joinpath(context.work, 'typing.tgsi')
  vim.fn.writefile(vim.split(shader, '\n'), file)

  --- What the editor shows on all lines but the one that is typed.
  local function elsewhere()
    return editor:lua(
      [[
        local typed_line = ...
        local found = vim.tbl_filter(function(it)
          return it.lnum + 1 ~= typed_line
        end, vim.diagnostic.get(0))
        return vim.tbl_map(function(it)
          return ('%d: %s'):format(it.lnum + 1, it.code)
        end, found)
      ]],
      typed_line
    )
  end

  step('mistakes are shown', function()
    editor:command('edit ' .. vim.fn.fnameescape(file))
    editor:served()
    editor:eventually('the mistakes', function()
      return #elsewhere() > 0
    end)
    equal(elsewhere(), mistakes, 'elsewhere')
    -- Every change of what is shown, seen from the editor itself.
    editor:lua(
      [[
        local typed_line = ...
        _G.shown, _G.answers = {}, 0
        vim.api.nvim_create_autocmd('LspRequest', {
          callback = function(event)
            local request = event.data.request
            if request.method == 'textDocument/diagnostic' and request.type == 'complete' then
              _G.answers = _G.answers + 1
            end
          end,
        })
        vim.api.nvim_create_autocmd('DiagnosticChanged', {
          callback = function(event)
            local lines = {}
            for _, it in ipairs(vim.diagnostic.get(event.buf)) do
              if it.lnum + 1 ~= typed_line then
                table.insert(lines, ('%d: %s'):format(it.lnum + 1, it.code))
              end
            end
            table.insert(_G.shown, lines)
          end,
        })
      ]],
      typed_line
    )
  end)

  step('nothing else changes at any letter', function()
    editor:go_to_line(typed_line)
    editor:keys('i')
    for at = 1, #typed do
      local words = typed:sub(1, at)
      editor:keys(typed:sub(at, at))
      editor:eventually('the text ' .. words, function()
        return editor:lua('return vim.api.nvim_get_current_line()') == words
      end)
      -- The editor asks for diagnostics after each change.
      editor:eventually('the diagnostics after ' .. words, function()
        return editor:lua('return _G.answers') >= at
      end)
    end
    editor:keys('<Esc>')
    editor:eventually('the line is whole', function()
      return #editor:lua('return vim.diagnostic.get(0)') == #mistakes
    end)
    local shown = editor:lua('return _G.shown')
    assert(#shown > 5, 'the diagnostics were shown ' .. #shown .. ' times')
    for number, lines in ipairs(shown) do
      equal(lines, mistakes, 'what was shown the ' .. number .. 'th time')
    end
  end)

  step('a line that can only mean one thing hides nothing', function()
    editor:keys('A,<Esc>')
    editor:eventually('the line is broken', function()
      return #editor:lua('return vim.diagnostic.get(0)') == #mistakes + 1
    end)
    equal(elsewhere(), mistakes, 'elsewhere')
  end)

  step('what a broken line may correct is hidden once typing pauses', function()
    editor:keys('$F,lD<Esc>')
    editor:eventually('the declaration counts as used', function()
      return vim.deep_equal(elsewhere(), { mistakes[2] })
    end)
  end)

  step('the editor was asked for nothing it could not do', function()
    equal(editor:complaints(), {}, 'complaints')
    editor:command('bwipeout!')
    editor:quit()
  end)
end
