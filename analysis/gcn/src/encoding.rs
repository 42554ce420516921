//! How many bytes an instruction takes: the identifying bits of each encoding.
