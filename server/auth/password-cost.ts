/** The parameters of scrypt for new hashes: a hash takes 32 MiB and about 0.3 s. Each hash stores its own. */
export const cost = { ln: 15, r: 8, p: 3 }
