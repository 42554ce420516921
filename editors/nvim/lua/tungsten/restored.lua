--- Views of shaders opened by their names: a stored session has nothing else.
local M = {}

local compiled = require('tungsten.compiled')

local views = {
  gcn = 'code',
  ll = 'ir',
  spvasm = 'spirv',
  glsl = 'glsl',
  hosts = 'hosts',
  hex = 'hex',
  tokens = 'tokens',
  s = 'expanded',
  registers = 'registers',
  waits = 'waits',
}

--- What a view's URI names: `<scheme>:/<target>.<name>.<shader>.<ending>?<source>`.
---@param uri string
---@return { source: string, shader: integer, target: string, view: string }?
local function named(uri)
  local path, source = uri:match('^[%w-]+:/(.-)%?(.+)$')
  local target, shader, ending = (path or ''):match('^([%w_+-]+)%..*%.(%d+)%.(%l+)$')
  if shader and views[ending] then
    return { source = vim.uri_decode(source), shader = tonumber(shader), target = target, view = views[ending] }
  end
end

--- Makes a buffer the view that its name says. The text comes when the source's
--- server does.
---@param buffer integer
function M.open(buffer)
  local uri = vim.api.nvim_buf_get_name(buffer)
  local wished = named(uri)
  if wished == nil then
    vim.bo[buffer].buftype = 'nofile'
    require('tungsten.text').fill(buffer, { '; no view of a shader: ' .. uri })
    return
  end
  local source = vim.uri_to_bufnr(wished.source)
  if not vim.api.nvim_buf_is_loaded(source) then
    vim.fn.bufload(source)
    vim.bo[source].buflisted = true
  end
  local code = {
    uri = uri,
    text = '',
    state = 'pending',
    sourceLines = {},
    shader = wished.shader,
    target = wished.target,
    targets = { wished.target },
    view = wished.view,
  }
  local view = compiled.of_buffer(buffer) or compiled.show_in(buffer, source, code)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    compiled.dress(window)
  end
  -- Without a server yet, its start asks.
  compiled.refresh(view)
end

return M
