import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const cost = { ln: 15, r: 8, p: 3 }
const keyLength = 32

// scrypt needs 128 · N · r bytes, which is above node's limit of 32 MiB.
const options = (ln: number, r: number, p: number): ScryptOptions => ({ N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r })

const derive = (password: string, salt: Buffer, length: number, cost: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same word typed on two keyboards may be composed differently.
    scrypt(password.normalize('NFKC'), salt, length, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })

const format = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/

/** Takes a password and returns its salted scrypt hash, with the cost it was made at, off the event loop. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const key = await derive(password, salt, keyLength, options(cost.ln, cost.r, cost.p))
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${salt.toString('base64')}$${key.toString('base64')}`
}

let decoy: Promise<string> | undefined

/**
 * Whether a password is the one behind a hash. Without a hash (no such account) it answers false after the same work,
 * done on a decoy, so that the time taken does not tell which e-mails have an account. Throws on a hash it did not write.
 */
export const verifyPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  decoy ??= hashPassword(randomBytes(16).toString('base64'))
  const [, ln, r, p, salt, key] = format.exec(hash ?? (await decoy)) ?? []
  if (salt === undefined || key === undefined) throw new Error('A stored password hash has an unknown format')
  const expected = Buffer.from(key, 'base64')
  const actual = await derive(
    password,
    Buffer.from(salt, 'base64'),
    expected.length,
    options(Number(ln), Number(r), Number(p)),
  )
  return timingSafeEqual(actual, expected)
}
