--- The services of the two languages, as keys and commands of Neovim bring them: code
--- while one types, quick fixes, completion, comments, colours of words, file types, and
--- the values of a run.
local steps = require('steps')
local step, equal = steps.step, steps.equal

---@param context table
return function(context)
  local editor = context.start('language')

  --- Writes a file and opens it.
  local function open(name, lines)
    local path = vim.fs.joinpath(context.work, name)
    vim.fn.writefile(lines, path)
    editor:command('edit ' .. vim.fn.fnameescape(path))
  end

  step('the code changes while one types, before insert mode is left', function()
    editor:compile(context.copy('language.tgsi'))
    editor:go_to_line(context.end_line)
    editor:keys('OCOS OUT[0].x, TEMP[0].xxxx')
    editor:code('v_cos_f32')
    equal(editor:call('nvim_get_mode').mode, 'i', 'mode')
    -- And half a statement leaves it, marked.
    editor:keys('<CR>MUL OUT[0].y, TEM')
    editor:window('the mark', function(window)
      return window.bar:find('◌') ~= nil and window.text:find('v_cos_f32') ~= nil
    end)
    editor:keys('<Esc>u')
    editor:window('the code of before', function(window)
      return window.text:find('image_sample') ~= nil
        and not window.text:find('v_cos_f32')
        and not window.bar:find('◌')
    end)
    editor:command('only')
  end)

  step('what is wished for is opened, though the text changed before the answer', function()
    editor:command('edit!')
    editor:keys((':Tungsten compiled<CR>%dGOCOS OUT[0].x, TEMP[0].xxxx<Esc>'):format(context.end_line))
    editor:code('v_cos_f32')
    editor:keys(':Tungsten compiled ir beside<CR>OSIN OUT[0].y, TEMP[0].xxxx<Esc>')
    editor:window('the IR', function(window)
      return window.filetype == 'llvm' and window.text:find('llvm.*sin') ~= nil
    end)
    editor:command('only | edit!')
  end)

  step('a quick fix fixes a misspelt opcode', function()
    editor:go_to_line(context.end_line)
    editor:keys('OMVO OUT[0].x, TEMP[0].xxxx<Esc>')
    editor:eventually('the error', function()
      return editor:errors() == 1
    end)
    editor:lua([[
      vim.fn.search('MVO')
      vim.lsp.buf.code_action({
        context = { only = { 'quickfix' } },
        filter = function(action) return action.title:find('MOV', 1, true) ~= nil end,
        apply = true,
      })
    ]])
    editor:eventually('the opcode', function()
      return editor:lua('return vim.api.nvim_get_current_line()') == ' MOV OUT[0].x, TEMP[0].xxxx'
    end)
    editor:eventually('no error', function()
      return editor:errors() == 0
    end)
    editor:command('edit!')
  end)

  step('completion begins an empty file with a whole shader, as a snippet', function()
    open('empty.tgsi', {})
    local client = editor:served()
    editor:lua('vim.lsp.completion.enable(true, ..., 0)', client)
    editor:keys('iCO<C-x><C-o>')
    local place = editor:eventually('the list', function()
      local words = editor:lua([[
        return vim.tbl_map(function(item) return item.abbr ~= '' and item.abbr or item.word end, vim.fn.complete_info({ 'items' }).items)
      ]])
      for number, word in ipairs(words) do
        if word == 'COMP' then
          return number
        end
      end
    end)
    local chosen = editor:lua([[return vim.fn.complete_info({ 'selected' }).selected]]) + 1
    editor:keys(('<C-n>'):rep(place - chosen) .. '<C-y>')
    editor:eventually('the shader', function()
      return editor:lua([[return vim.fn.search('CS_FIXED_BLOCK_WIDTH 64', 'nw')]]) > 0
    end)
    equal(editor:lua('return vim.snippet.active()'), true, 'places to fill')
    editor:keys('<Esc>')
    editor:eventually('its costs: it compiles', function()
      return editor:lua([[return require('tungsten').status()]]):find('^polaris10') ~= nil
    end)
    editor:command('bwipeout!')
  end)

  step('gcc comments a line out in both languages, and in again', function()
    local cases = { ['comment.tgsi'] = { 'FRAG', '// FRAG' }, ['comment.gcn'] = { 's_nop 0', '# s_nop 0' } }
    for name, case in pairs(cases) do
      open(name, { case[1] })
      editor:keys('gcc')
      editor:eventually('the comment in ' .. name, function()
        return editor:lua('return vim.fn.getline(1)') == case[2]
      end)
      editor:keys('gcc')
      editor:eventually('no comment in ' .. name, function()
        return editor:lua('return vim.fn.getline(1)') == case[1]
      end)
      editor:command('bwipeout!')
    end
  end)

  step('names, and for names of many machines what a file holds, tell its type', function()
    local ours = { '  v_mov_b32 v0, 1.0', '  s_endpgm' }
    local foreign = { '  mov eax, 1', '  ret' }
    local wanted = {
      { 'shader.tgsi', { 'VERT' }, 'tgsi' },
      { 'code.gcn', {}, 'gcn' },
      { 'code.amdgcn', {}, 'gcn' },
      { 'late.s', vim.list_extend({ '; from a compiler', '.text' }, ours), 'gcn' },
      { 'chooses.s', { '.if (.amdgcn.gfx_generation_number == 9)', '.include "nine.inc"', '.endif' }, 'gcn' },
      { 'arm.s', { '  .cpu cortex-a9', 'start:', '  movs r0, #1', '  vmov.f32 s0, #1.0', '  bx lr' }, false },
    }
    for _, ending in ipairs({ 's', 'S', 'asm', 'isa' }) do
      table.insert(wanted, { 'ours.' .. ending, ours, 'gcn' })
      table.insert(wanted, { 'foreign.' .. ending, foreign, false })
    end
    for _, case in ipairs(wanted) do
      open(case[1], case[2])
      local filetype = editor:lua('return vim.bo.filetype')
      equal(case[3] and filetype or filetype == 'gcn', case[3], case[1])
      editor:command('bwipeout!')
    end
  end)

  --- The highlight group that a word's syntax is linked to, at its first place in a line.
  local function group_of(line, word)
    return editor:lua(
      [[
        local line, word = ...
        local column = vim.fn.getline(line):find(word, 1, true)
        return vim.fn.synIDattr(vim.fn.synID(line, column, 1), 'name')
      ]],
      line,
      word
    )
  end

  step('words of assembly have the colours of what they are', function()
    open('words.gcn', {
      'loop: s_cbranch_scc0 loop // back',
      '  v_add_f32 v1, s2, v[3:4] clamp',
      '  buffer_load_dword v1, v2, s[4:7], 0 offen offset:16',
      '  s_waitcnt vmcnt(0) & lgkmcnt(0)',
      '  .amdgcn_target "x" ; end',
      '  exp mrt0, v0, v0, v0, v0 done vm',
    })
    local cases = {
      { 1, 'loop:', 'gcnLabel' },
      { 1, 's_cbranch', 'gcnControl' },
      { 1, '// back', 'gcnComment' },
      { 2, 'v_add_f32', 'gcnVector' },
      { 2, 's2', 'gcnScalarRegister' },
      { 2, 'v[3', 'gcnVectorRegister' },
      { 2, 'clamp', 'gcnModifier' },
      { 3, 'buffer_load', 'gcnMemory' },
      { 3, 'offset', 'gcnModifier' },
      { 3, '16', 'gcnNumber' },
      { 4, 's_waitcnt', 'gcnControl' },
      { 4, 'vmcnt', 'gcnModifier' },
      { 5, '.amdgcn', 'gcnDirective' },
      { 5, '"x"', 'gcnString' },
      { 5, '; end', 'gcnComment' },
      { 6, 'exp', 'gcnMemory' },
      { 6, 'mrt0', 'gcnPlace' },
      { 6, 'done', 'gcnModifier' },
    }
    for _, case in ipairs(cases) do
      equal(group_of(case[1], case[2]), case[3], case[2])
    end
    editor:command('bwipeout!')
  end)

  step('words of declarations and properties have the colours of what they are', function()
    open('declared.tgsi', { 'FRAG1.1', 'DCL OUT[1].xy, TESSINNER', 'PROPERTY GS_INPUT_PRIMITIVE TRIANGLES' })
    local cases = {
      { 1, 'FRAG', 'tgsiStage' },
      { 2, '.xy', 'tgsiSwizzle' },
      { 2, 'TESS', 'tgsiSemantic' },
      { 3, 'GS_', 'tgsiProperty' },
      { 3, 'TRIANGLES', 'tgsiValue' },
    }
    for _, case in ipairs(cases) do
      -- The first answer of the server may find the colours being worked out anew.
      editor:eventually(case[3] .. ' of ' .. case[2], function()
        return group_of(case[1], case[2]) == case[3]
      end)
    end
    editor:command('bwipeout!')
  end)

  step('every word that the server offers in TGSI has the colour of its kind', function()
    open('words.tgsi', { '', '', 'END' })
    editor:served()
    --- The words that may stand after others in a shader of a stage.
    local function offered(stage, before)
      editor:lua('vim.fn.setline(1, { ... })', stage, before)
      local answer = editor:answer('textDocument/completion', '%', { position = { line = 1, character = #before } })
      return vim.tbl_map(function(item)
        return item.label
      end, answer.items)
    end
    local stages = { 'VERT', 'TESS_CTRL', 'TESS_EVAL', 'GEOM', 'FRAG', 'COMP' }
    local cases = {
      { 'DCL IN[0], ', { 'tgsiSemantic', 'tgsiQualifier' } },
      { 'DCL IN[0], GENERIC[0], ', { 'tgsiSemantic', 'tgsiQualifier' } },
      { 'DCL OUT[0], ', { 'tgsiSemantic', 'tgsiQualifier' } },
      { 'DCL SV[0], ', { 'tgsiSemantic' } },
      { 'DCL SVIEW[0], ', { 'tgsiTarget' } },
      { 'DCL SVIEW[0], 2D, ', { 'tgsiType' } },
      { 'DCL BUFFER[0], ', { 'tgsiQualifier' } },
      { 'DCL MEMORY[0], ', { 'tgsiQualifier' } },
      { 'PROPERTY ', { 'tgsiProperty' } },
      { 'IMM[0] ', { 'tgsiType' } },
      { 'TEX TEMP[0], IN[0], SAMP[0], ', { 'tgsiTarget' } },
      { '', { 'tgsiOpcode', 'tgsiControl', 'tgsiDeclaration', 'tgsiModifier', 'tgsiRegister' } },
    }
    local wrong = {}
    for _, case in ipairs(cases) do
      local before, groups = unpack(case)
      local words = {}
      for _, stage in ipairs(stages) do
        for _, word in ipairs(offered(stage, before)) do
          words[word] = word:find('^[%w_]+$')
        end
      end
      assert(next(words), ('no words after "%s"'):format(before))
      local found = editor:lua(
        [[
          -- A line for each, in a buffer of their own.
          local before, words = ...
          vim.cmd('new | setlocal buftype=nofile bufhidden=wipe syntax=tgsi')
          for number, word in ipairs(words) do
            vim.fn.setline(number, before .. word)
          end
          local groups = {}
          for number, word in ipairs(words) do
            groups[word] = vim.fn.synIDattr(vim.fn.synID(number, #before + 1, 1), 'name')
          end
          vim.cmd('close')
          return groups
        ]],
        before,
        vim.tbl_keys(words)
      )
      for word, group in pairs(found) do
        if not vim.tbl_contains(groups, group) then
          table.insert(wrong, ('%s%s: %s'):format(before, word, group))
        end
      end
    end
    equal(wrong, {}, 'words of another colour')
    editor:command('bwipeout!')
  end)

  step('what a run writes stands beside the instructions', function()
    local examples = vim.fs.dirname(context.example)
    local inputs = 'lit_texture.inputs.toml'
    assert(vim.uv.fs_copyfile(vim.fs.joinpath(examples, inputs), vim.fs.joinpath(context.work, inputs)))
    local lines = vim.fn.readfile(context.file)
    table.insert(lines, 1, ('# tungsten: run=%s lane=1'):format(inputs))
    open('run.tgsi', lines)
    local function values(line)
      return editor:lua(
        [[
          local found = {}
          for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
            local label = hint.inlay_hint.label
            if hint.inlay_hint.position.line + 1 == ... then
              table.insert(found, type(label) == 'table' and label[1].value or label)
            end
          end
          return table.concat(found, ' ')
        ]],
        line
      )
    end
    -- The normal is [0, 0.6, 0.8], so its square is one.
    editor:eventually('the first dot product', function()
      return values(context.first_line + 1):find('→ 1.0', 1, true) ~= nil
    end)
    editor:eventually('the normal of length one', function()
      return values(context.first_line + 3):find('→ 0.0, 0.6, 0.8', 1, true) ~= nil
    end)
    -- Other inputs, written in another window, give other values.
    editor:command('split ' .. vim.fn.fnameescape(vim.fs.joinpath(context.work, inputs)))
    editor:lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, { '[in]', '1 = [0.0, 0.0, 2.0]' })]])
    editor:command('write | close')
    editor:eventually('the value of the new inputs', function()
      return values(context.first_line + 1):find('→ 4.0', 1, true) ~= nil
    end)
    editor:command('bwipeout!')
  end)

  step('the editor was asked for nothing it could not do', function()
    local wrong = editor:lua([[
      return vim.tbl_filter(function(note) return (note.level or 0) >= vim.log.levels.WARN end, _G.notes)
    ]])
    equal(wrong, {}, 'warnings')
    editor:quit()
  end)
end
