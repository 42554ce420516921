-- `.s`, `.asm` and `.isa` say nothing of the machine: such a file is taken only if it
-- begins a line with a word that no other machine's assembly has, or asks which chip of
-- ours it is assembled for, as those do that only choose what they include.
local words = {
  '.amdgcn_target',
  '.amdhsa_kernel',
  '.amd_kernel_code_t',
  '.amdcl2',
  '.gallium',
  '.rocm',
  's_endpgm',
  's_waitcnt',
  's_mov_b32',
  's_mov_b64',
  'v_mov_b32',
  'v_mov_b32_e32',
}
local is_word = {}
for _, word in ipairs(words) do
  is_word[word] = true
end
local prefixes = { '^%.amdgpu_', '^%.hsa_code_object_', '^s_load_dword' }
local most_lines = 1000

---@param buffer integer
---@return 'gcn'?
local function assembly(_, buffer)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, most_lines, false)) do
    local word = line:match('^%s*([%w_.]+)')
    if word and is_word[word] or line:find('%.amdgcn%.gfx_generation_') then
      return 'gcn'
    end
    for _, prefix in ipairs(word and prefixes or {}) do
      if word:find(prefix) then
        return 'gcn'
      end
    end
  end
end

-- One call: each sorts all patterns anew. Ours come before the names' own meaning;
-- without an answer that stays.
vim.filetype.add({
  extension = { tgsi = 'tgsi', gcn = 'gcn', amdgcn = 'gcn' },
  pattern = {
    ['.*%.[sS]'] = { assembly, { priority = 10 } },
    ['.*%.asm'] = { assembly, { priority = 10 } },
    ['.*%.isa'] = { assembly, { priority = 10 } },
  },
})
