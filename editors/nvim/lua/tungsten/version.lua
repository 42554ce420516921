-- The plugin's version: that of the server that it was made with.
return '0.1.0'
