--- What users set, and what it costs them not to: options, vim.lsp.config, the start of
--- Neovim, colours on light and dark grounds, and the help that tells of all this.
local Editor = require('editor')
local steps = require('steps')
local step, equal = steps.step, steps.equal

---@param context table
return function(context)
  local open = 'edit ' .. vim.fn.fnameescape(context.file)

  --- Waits for the sums of the shader on a chip.
  local function sums_of(editor, chip)
    editor:eventually('the sums of ' .. chip, function()
      return vim.startswith(editor:lua([[return require('tungsten').status()]]), chip .. ' ·')
    end)
  end

  step('what users give to vim.lsp.config wins, before the plugin is loaded and after', function()
    local before = [[
      local settings = { targets = { 'tahiti' } }
      vim.lsp.config('tungsten', { settings = { tungsten = settings }, init_options = settings })
    ]]
    local editor = context.start('config', {}, before)
    editor:command(open)
    sums_of(editor, 'tahiti')
    editor:lua([[
      local settings = { targets = { 'vega10' } }
      vim.lsp.config('tungsten', { settings = { tungsten = settings }, init_options = settings })
    ]])
    editor:settle()
    editor:command('Tungsten restart')
    sums_of(editor, 'vega10')
    editor:quit()
  end)

  step('setup() works after the plugin was loaded, and draws anew', function()
    local editor = context.start('setup')
    editor:command(open)
    sums_of(editor, 'polaris10')
    local function signs()
      return editor:lua([[
        return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces()['tungsten.heat'], 0, -1, {})
      ]])
    end
    assert(signs() > 10, 'no signs')
    editor:lua([[require('tungsten').setup({ heat = 'off', targets = { 'tahiti' } })]])
    equal(signs(), 0, 'signs that are off')
    editor:settle()
    editor:command('Tungsten restart')
    sums_of(editor, 'tahiti')
    equal(editor:lua([[return #vim.lsp.get_clients({ name = 'tungsten' })]]), 1, 'servers')
    editor:quit()
  end)

  step('every setting of the server can be given', function()
    local editor = context.start('every', { enable = false })
    local wanted = { hints = 'inlayHints' }
    for _, key in ipairs(editor:lua([[return require('tungsten.settings')]])) do
      wanted[key] = key
    end
    assert(vim.tbl_count(wanted) > 8, vim.inspect(wanted))
    -- What only the user may say goes to the server by its environment.
    for option, variable in pairs({ cache = 'TUNGSTEN_CACHE', llvm = 'TUNGSTEN_LLVM' }) do
      local given = editor:lua(
        [[
          local option, variable = ...
          vim.g.tungsten = { enable = false, [option] = '/given' }
          return require('tungsten.client').config().cmd_env[variable]
        ]],
        option,
        variable
      )
      equal(given, '/given', option)
    end
    for option, key in pairs(wanted) do
      local given = editor:lua(
        [[
          local option, key = ...
          vim.g.tungsten = { enable = false, [option] = { 'given' } }
          return require('tungsten.client').config().settings.tungsten[key]
        ]],
        option,
        key
      )
      equal(given, { 'given' }, option)
    end
    editor:quit()
  end)

  step('without `enable` nothing runs, until vim.lsp.enable is called', function()
    local editor = context.start('disabled', { enable = false })
    editor:command(open)
    vim.wait(300)
    equal(editor:lua('return #vim.lsp.get_clients()'), 0, 'servers')
    editor:lua([[vim.lsp.enable('tungsten')]])
    sums_of(editor, 'polaris10')
    editor:quit()
  end)

  step('one setting leaves nothing drawn from the start', function()
    local editor = context.start('plain', { decorations = false })
    editor:command(open)
    sums_of(editor, 'polaris10')
    editor:command('Tungsten compiled')
    editor:code('image_sample')
    editor:settle()
    local drawn = editor:lua(
      [[
      local found = {}
      for name, id in pairs(vim.api.nvim_get_namespaces()) do
        local count = #vim.api.nvim_buf_get_extmarks(vim.fn.bufnr(...), id, 0, -1, {})
        -- The link of the cursor belongs to the view that was asked for.
        if count > 0 and name ~= 'tungsten.linked' and (name:find('tungsten') or name:find('codelens') or name:find('inlayhint')) then
          table.insert(found, name)
        end
      end
      return found
    ]],
      context.file
    )
    equal(drawn, {}, 'what is drawn')
    equal(
      editor:lua('return vim.lsp.inlay_hint.is_enabled({ bufnr = vim.fn.bufnr(...) })', context.file),
      false,
      'hints'
    )
    editor:quit()
  end)

  step('the start of Neovim loads two small files of the plugin and nothing else', function()
    local report = vim.fs.joinpath(context.work, 'startup.txt')
    local data = vim.fs.joinpath(context.work, 'startup-data')
    local pack = vim.fs.joinpath(data, 'nvim', 'site', 'pack', 'tungsten', 'start')
    vim.fn.mkdir(pack, 'p')
    assert(vim.uv.fs_symlink(context.plugin, vim.fs.joinpath(pack, 'tungsten')))
    local function start(arguments)
      vim.fn.delete(report)
      local words = { vim.v.progpath, '--headless', '--startuptime', report, '-n', '-i', 'NONE', '-u', 'NORC' }
      local done = vim.system(vim.list_extend(words, arguments), { env = { XDG_DATA_HOME = data } }):wait(20000)
      equal(done.code, 0, done.stderr)
      return vim.fn.readfile(report)
    end
    --- What was loaded of ours, how long it took and the whole start, in milliseconds.
    local function measure()
      local own, milliseconds, whole = {}, 0, 0
      for _, line in ipairs(start({ '+qall' })) do
        whole = tonumber(line:match('^([%d.]+)')) or whole
        -- Without the modules of Neovim that a file was the first to ask for.
        local alone, what = line:match('^[%d.]+%s+[%d.]+%s+([%d.]+): (.*)$')
        local file = what
          and (what:match('pack/tungsten/start/tungsten/(.*)$') or what:match("require%('(tungsten.*)'%)"))
        if file then
          table.insert(own, file)
          milliseconds = milliseconds + tonumber(alone)
        elseif what and what:find('vim.lsp', 1, true) then
          table.insert(own, what)
        end
      end
      table.sort(own)
      return own, milliseconds, whole
    end
    -- The quickest of some: other programs take their time too.
    local least, beside = math.huge, 0
    for _ = 1, 5 do
      local own, milliseconds, whole = measure()
      equal(own, { 'ftdetect/tungsten.lua', 'plugin/tungsten.lua' }, 'what was loaded')
      if milliseconds < least then
        least, beside = milliseconds, whole
      end
    end
    print(('the plugin takes %.2f ms of the %.2f ms in which Neovim starts\n'):format(least, beside))
    assert(least < beside / 4, 'that is too much of it')
    -- And a file that is ours brings the rest, from this place.
    local loaded = table.concat(start({ context.file, '+qall' }), '\n')
    assert(loaded:find("require('tungsten.client')", 1, true), loaded)
  end)

  --- Light of a colour, red, green and blue each made linear; and what eyes without one
  --- kind of cone make of it. The matrices: Machado, Oliveira and Fernandes 2009, for
  --- full severity.
  local eyes = {
    all = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    protanopia = {
      { 0.152286, 1.052583, -0.204868 },
      { 0.114503, 0.786281, 0.099216 },
      { -0.003882, -0.048116, 1.051998 },
    },
    deuteranopia = {
      { 0.367322, 0.860646, -0.227968 },
      { 0.280085, 0.672501, 0.047413 },
      { -0.011820, 0.042940, 0.968881 },
    },
    tritanopia = {
      { 1.255528, -0.076749, -0.178779 },
      { -0.078411, 0.930809, 0.147602 },
      { 0.004733, 0.691367, 0.303900 },
    },
  }
  local function linear(colour)
    local parts = {}
    for place = 3, 1, -1 do
      local value = colour % 256 / 255
      parts[place] = value <= 0.04045 and value / 12.92 or ((value + 0.055) / 1.055) ^ 2.4
      colour = math.floor(colour / 256)
    end
    return parts
  end
  local function luminance(colour)
    local parts = linear(colour)
    return 0.2126 * parts[1] + 0.7152 * parts[2] + 0.0722 * parts[3]
  end
  --- The contrast of WCAG 2.1.
  local function contrast(one, other)
    local light, dark = luminance(one), luminance(other)
    return (math.max(light, dark) + 0.05) / (math.min(light, dark) + 0.05)
  end
  --- How far two colours are from each other to some eyes, in CIE's L*a*b*.
  local function distance(eye, one, other)
    local function lab(colour)
      local parts, seen = linear(colour), {}
      for row = 1, 3 do
        local sum = 0
        for column = 1, 3 do
          sum = sum + eye[row][column] * parts[column]
        end
        seen[row] = math.min(1, math.max(0, sum))
      end
      local white = { 0.95047, 1, 1.08883 }
      local weights = { { 0.4124, 0.3576, 0.1805 }, { 0.2126, 0.7152, 0.0722 }, { 0.0193, 0.1192, 0.9505 } }
      local roots = {}
      for row = 1, 3 do
        local sum = 0
        for column = 1, 3 do
          sum = sum + weights[row][column] * seen[column]
        end
        local share = sum / white[row]
        roots[row] = share > 0.008856 and share ^ (1 / 3) or 7.787 * share + 16 / 116
      end
      return { 116 * roots[2] - 16, 500 * (roots[1] - roots[2]), 200 * (roots[2] - roots[3]) }
    end
    local first, second, sum = lab(one), lab(other), 0
    for place = 1, 3 do
      sum = sum + (first[place] - second[place]) ^ 2
    end
    return sum ^ 0.5
  end

  step('colours are told apart on light and on dark grounds, by all eyes, and text stays readable', function()
    local editor = context.start('colours')
    editor:command(open)
    --- The colours of a numbered group, the ground and the text.
    local function colours()
      return editor:lua([[
        local function of(name) return vim.api.nvim_get_hl(0, { name = name, link = false }) end
        local found = { heat = {}, groups = {}, terminal = {}, normal = of('Normal') }
        for number = 1, 5 do
          found.heat[number] = of('TungstenHeat' .. number).fg
          found.terminal[number] = of('TungstenHeat' .. number).ctermfg
        end
        for number = 1, 8 do found.groups[number] = of('TungstenGroup' .. number).bg end
        return found
      ]])
    end
    local nearest = math.huge
    for _, scheme in ipairs({ 'default', 'habamax', 'peachpuff' }) do
      for _, background in ipairs({ 'dark', 'light', 'dark' }) do
        editor:command(('set background=%s | colorscheme %s'):format(background, scheme))
        local is_dark = editor:lua('return vim.o.background') == 'dark'
        local now = colours()
        local where = scheme .. ' ' .. background
        for number = 2, 5 do
          local grows = luminance(now.heat[number]) > luminance(now.heat[number - 1])
          equal(grows, is_dark, 'the order of heat in ' .. where)
        end
        equal(#vim.tbl_keys(vim.iter(now.terminal):fold({}, function(seen, colour)
          seen[colour] = true
          return seen
        end)), 5, 'colours of a terminal')
        assert(contrast(now.heat[5], now.normal.bg) > 4.5, 'what is hot is not seen in ' .. where)
        for number, tint in ipairs(now.groups) do
          local readable = contrast(now.normal.fg, tint)
          assert(readable > 4.5, ('text on group %d has a contrast of %.1f in %s'):format(number, readable, where))
          for _, eye in pairs(eyes) do
            nearest = math.min(nearest, distance(eye, tint, now.groups[number % #now.groups + 1]))
          end
        end
      end
    end
    print(('neighbouring groups are at least %.1f apart to every eye\n'):format(nearest))
    -- About twice what is just noticed.
    assert(nearest > 4, 'neighbouring groups are only ' .. nearest .. ' apart')
    editor:quit()
  end)

  step('a background that changes without a scheme is followed, and what users set stays', function()
    local before = [[vim.api.nvim_set_hl(0, 'TungstenGroup1', { bg = 0x123456 })]]
    local editor = context.start('ground', {}, before)
    editor:command('set background=dark')
    editor:command(open)
    local function colour(name, key)
      return editor:lua(
        'local name, key = ... return vim.api.nvim_get_hl(0, { name = name, link = false })[key]',
        name,
        key
      )
    end
    local dark = colour('TungstenHeat1', 'fg')
    equal(colour('TungstenGroup1', 'bg'), 0x123456, 'the group of the user')
    editor:command('set background=light')
    assert(luminance(colour('TungstenHeat1', 'fg')) > luminance(dark), 'what costs little stands out')
    assert(luminance(colour('TungstenGroup2', 'bg')) > 0.4, 'a dark tint on a light ground')
    for name, target in pairs({ TungstenLinked = 'Visual', TungstenStale = 'Comment', TungstenNotice = 'WarningMsg' }) do
      equal(editor:lua('return vim.api.nvim_get_hl(0, { name = ... }).link', name), target, name)
    end
    editor:quit()
  end)

  step('the help is found by its tags, and every tag that it leads to exists', function()
    local folder = vim.fs.joinpath(context.work, 'help', 'doc')
    vim.fn.mkdir(folder, 'p')
    local text = vim.fs.joinpath(folder, 'tungsten.txt')
    assert(vim.uv.fs_copyfile(vim.fs.joinpath(context.plugin, 'doc', 'tungsten.txt'), text))
    local editor = Editor.bare(context.log('helptags'))
    editor:command('helptags ' .. vim.fn.fnameescape(folder))
    editor:lua('vim.opt.runtimepath:prepend(...)', vim.fs.dirname(folder))
    local leads = 0
    for _, line in ipairs(vim.fn.readfile(text)) do
      assert(vim.fn.strdisplaywidth(line) <= 84, 'a long line: ' .. line)
      for tag in line:gmatch('|([^%s|]+)|') do
        leads = leads + 1
        local found = editor:lua([[return vim.list_contains(vim.fn.getcompletion(..., 'help'), (...))]], tag)
        assert(found, 'there is no help of ' .. tag)
      end
    end
    assert(leads > 15, leads)
    editor:command('help :Tungsten-compiled')
    equal(editor:lua([[return vim.fn.expand('%:t')]]), 'tungsten.txt', 'the page')
    assert(editor:lua('return vim.api.nvim_get_current_line()'):find(':Tungsten compiled', 1, true), 'the place')
    editor:quit()
  end)
end
