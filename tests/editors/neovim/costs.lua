--- Pressure and latency where people look: the float, the list of waits, text at the
--- ends of lines, the status line, and one switch for all decorations.
local steps = require('steps')
local step, equal = steps.step, steps.equal

---@param context table
return function(context)
  local editor = context.start('costs', { targets = { 'polaris10', 'tahiti', 'vega10' } })
  local file = context.copy('costs.tgsi')

  --- What the server says, asked past the plugin.
  local function costs()
    local codes = editor:answer('tungsten/costs', 'costs.tgsi').codes
    return editor:lua('return require("tungsten.costs").named((...))[1]', codes)
  end

  step('the status line has the sums', function()
    editor:command('edit ' .. vim.fn.fnameescape(file))
    editor:served()
    local line = editor:eventually('the sums of three chips', function()
      return editor:lua([[
        local code = require('tungsten.costs').at_cursor()
        return code ~= nil and #code.chips == 3 and require('tungsten').status()
      ]])
    end)
    local chip = costs().chips[1]
    local wanted = ('polaris10 · %d waves · V %d · S %d · %d clk'):format(
      chip.waves,
      chip.vgprs.used,
      chip.sgprs.used,
      chip.clocks
    )
    equal(line, wanted, 'the line')
  end)

  step(':Tungsten costs shows sums, a rung per chip and the chart', function()
    editor:go_to_line(context.texture_line)
    editor:command('Tungsten costs')
    local report = editor:float('Waves per SIMD').text
    local code = costs()
    local chip = code.chips[1]
    assert(report:find(('VGPRs  %%s*%d used, %%s*%d allocated'):format(chip.vgprs.used, chip.vgprs.allocated)), report)
    assert(report:find(('clocks %d of a wave alone'):format(chip.clocks), 1, true), report)
    for _, each in ipairs(code.chips) do
      local most = each.ladder[1].waves
      local bar = ('▇'):rep(each.waves) .. ('░'):rep(most - each.waves)
      local rung = ('%-10s %2d %s '):format(each.target, each.waves, bar)
      assert(report:find(rung, 1, true), rung .. ' is not in\n' .. report)
    end
    -- The ladder: a rung per number of waves, the one of now marked.
    for _, rung in ipairs(chip.ladder) do
      local mark = rung.waves == chip.waves and '▶' or ' '
      local line = ('\n%s %2d   %3d V '):format(mark, rung.waves, rung.vgprs)
      assert(report:find(line, 1, true), line .. ' is not in\n' .. report)
    end
    equal(#chip.ladder, chip.ladder[1].waves, 'rungs')
    local top = report:match('%s(%d+) ┤')
    equal(tonumber(top), chip.vgprs.allocated, 'the scale of the chart')
    -- One column per line, and the highest where most is needed.
    local rows = {}
    for row in report:gmatch('┤([^\n]*)') do
      table.insert(rows, row)
    end
    equal(#rows, 6, 'rows of the chart')
    equal(vim.fn.strchars(rows[1]), #code.lines, 'columns')
    local peak = vim.iter(ipairs(code.lines)):find(function(_, line)
      return line.peak
    end)
    equal(vim.fn.strcharpart(rows[1], peak - 1, 1) ~= ' ', chip.vgprs.peak > chip.vgprs.allocated * 5 / 6, 'the peak')
    assert(report:find('▲'), report)
    -- All of it is in sight.
    local height = editor:lua([[
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then return vim.api.nvim_win_get_height(window) end
      end
    ]])
    equal(height, #vim.split(report, '\n'), 'height of the float')
    editor:keys('<Esc>j')
  end)

  step(':Tungsten stalls lists the waits, the longest first', function()
    editor:command('Tungsten stalls')
    editor:eventually('the list', function()
      return editor:lua('return vim.bo.buftype') == 'quickfix'
    end)
    local items = editor:lua([[
      return vim.tbl_map(function(item) return { item.lnum, item.text } end, vim.fn.getqflist())
    ]])
    local waiting = vim.tbl_filter(function(line)
      return line.stall > 0
    end, costs().lines)
    equal(#items, #waiting, 'entries')
    assert(#items > 1, 'the example waits')
    local before, causes = math.huge, 0
    for _, item in ipairs(items) do
      local clocks = tonumber(item[2]:match('^(%d+) clk, '))
      assert(clocks <= before, 'not in order: ' .. vim.inspect(items))
      before = clocks
      causes = causes + (item[2]:find('← line %d+: ') and 1 or 0)
    end
    assert(causes > 0, 'no cause is named: ' .. vim.inspect(items))
    editor:keys('<CR>')
    editor:eventually('the jump', function()
      return editor:lua([[return { vim.fn.expand('%:t'), vim.fn.line('.') }]])[2] == items[1][1]
    end)
    editor:command('cclose')
  end)

  --- How many decorations the buffer has, by kind.
  local function decorations()
    return editor:lua([[
      local all = vim.api.nvim_get_namespaces()
      local function count(matches, filter)
        local found = 0
        for name, id in pairs(all) do
          if name:find(matches) then
            found = found + #vim.tbl_filter(filter, vim.api.nvim_buf_get_extmarks(0, id, 0, -1, { details = true }))
          end
        end
        return found
      end
      return {
        signs = count('^tungsten.heat$', function(mark) return mark[4].sign_text ~= nil end),
        texts = count('^tungsten.heat$', function(mark) return mark[4].virt_text ~= nil end),
        hints = vim.lsp.inlay_hint.is_enabled({ bufnr = 0 }) and #vim.lsp.inlay_hint.get({ bufnr = 0 }) or 0,
        lenses = count('codelens', function() return true end),
      }
    ]])
  end

  step('text at the ends of lines, and one switch for everything', function()
    editor:command('Tungsten text registers')
    local code = costs()
    local shown = editor:eventually('text, signs, hints and lenses', function()
      local found = decorations()
      return found.texts == #code.lines and found.hints > 0 and found.lenses > 0 and found
    end)
    equal(shown.signs, #code.lines, 'signs')
    editor:command('Tungsten decorations off')
    equal(decorations(), { signs = 0, texts = 0, hints = 0, lenses = 0 }, 'decorations that are off')
    editor:go_to_line(context.end_line)
    editor:keys('OCOS OUT[0].x, TEMP[0].xxxx<Esc>')
    editor:eventually('the costs of the edit', function()
      return editor:lua([[return require('tungsten').status()]]):find('%d[+-]%d+ clk$') ~= nil
    end)
    equal(decorations(), { signs = 0, texts = 0, hints = 0, lenses = 0 }, 'after an edit')
    editor:keys('u')
    editor:eventually('the costs of before', function()
      return editor:lua([[return require('tungsten').status()]]):find(' %d+ clk$') ~= nil
    end)
    editor:command('Tungsten decorations on')
    editor:eventually('all again', function()
      local found = decorations()
      return found.texts == #code.lines and found.signs == #code.lines and found.hints > 0 and found.lenses > 0
    end)
    editor:command('Tungsten heat rainbow')
    editor:note('heat is one of off, registers, clocks')
  end)

  step('the status line tells what changed since the file was saved', function()
    editor:lua([[
      local line = vim.fn.search('^ *28: END', 'nw')
      vim.fn.append(line - 1, { 'COS OUT[0].x, TEMP[0].xxxx', 'SIN OUT[0].y, TEMP[0].yyyy' })
      vim.cmd('doautocmd TextChanged')
    ]])
    local text = editor:eventually('a change of clocks', function()
      local line = editor:lua([[return require('tungsten').status()]])
      return line:find('%d[+-]%d+ clk$') and line
    end)
    local now, distance = text:match('(%d+)([+-]%d+) clk$')
    equal(tonumber(now), costs().chips[1].clocks, 'clocks')
    assert(tonumber(distance) ~= 0, text)
    editor:command('write')
    editor:eventually('no change any more', function()
      return editor:lua([[return require('tungsten').status()]]):find(('%%s%s clk$'):format(now)) ~= nil
    end)
  end)

  step('the editor wrote down no fault', function()
    local wrong = editor:lua([[
      return vim.tbl_filter(function(note) return note.level == vim.log.levels.WARN end, _G.notes)
    ]])
    equal(wrong, {}, 'warnings')
    editor:quit()
  end)
end
