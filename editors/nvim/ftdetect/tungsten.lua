-- `.s` and `.asm` belong to many languages and are left alone.
vim.filetype.add({ extension = { tgsi = 'tgsi', gcn = 'gcn', amdgcn = 'gcn' } })
