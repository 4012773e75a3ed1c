import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import PQueue from 'p-queue'

/**
 * Hashes that are computed at the same time. Each takes one of Node's four worker threads, which also read files and
 * look up host names: two are left for those.
 */
export const mostHashesAtOnce = 2
/** A hash takes some 0.3 s, so the last of so many waits 3 s: longer than that nobody waits for a sign-in gladly. */
export const mostHashesWaiting = 20

const queue = new PQueue({ concurrency: mostHashesAtOnce })

/** So many hashes are waiting that this one was refused: nothing is known of its password. */
export class PasswordsBusy extends Error {
  /** Seconds in which a full queue is empty again. */
  readonly retryAfter = 5
  constructor() {
    super('Too many people are signing in right now. Please try again in a few seconds.')
  }
}

const cost = { ln: 15, r: 8, p: 3 }
const keyLength = 32

// scrypt needs 128 · N · r bytes, which is above node's limit of 32 MiB.
const options = (ln: number, r: number, p: number): ScryptOptions => ({ N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r })

const derive = async (password: string, salt: Buffer, length: number, cost: ScryptOptions): Promise<Buffer> => {
  if (queue.size >= mostHashesWaiting) throw new PasswordsBusy()
  const hash = () =>
    new Promise<Buffer>((resolve, reject) => {
      // The same word typed on two keyboards may be composed differently.
      scrypt(password.normalize('NFKC'), salt, length, cost, (error, key) => (error ? reject(error) : resolve(key)))
    })
  return queue.add(hash)
}

const format = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/

const written = (salt: Buffer, key: Buffer): string =>
  `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${salt.toString('base64')}$${key.toString('base64')}`

/**
 * Takes a password and returns its salted scrypt hash, with the cost it was made at, off the event loop. Throws
 * PasswordsBusy when too many wait.
 */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  return written(salt, await derive(password, salt, keyLength, options(cost.ln, cost.r, cost.p)))
}

/** In the form of a hash; no password leads to its random key. */
const decoy = written(randomBytes(16), randomBytes(keyLength))

/**
 * Whether a password is the one behind a hash. Without a hash (no such account) it answers false after the same work,
 * done on a decoy, so that the time taken does not tell which e-mails have an account. Throws on a hash it did not
 * write, and PasswordsBusy when too many wait.
 */
export const verifyPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  const [, ln, r, p, salt, key] = format.exec(hash ?? decoy) ?? []
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
