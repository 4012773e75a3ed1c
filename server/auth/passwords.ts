import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import PQueue from 'p-queue'
import { Busy } from '../busy.ts'
import { cost } from './password-cost.ts'

/** Each hash uses one of Node's four worker threads; two remain for file reads and DNS lookups. */
export const maxConcurrentHashes = 2
/** A hash takes about 0.3 s, so the last of 20 waits about 3 s. */
export const maxQueuedHashes = 20

const queue = new PQueue({ concurrency: maxConcurrentHashes })

/** The hash queue is full; the password was not checked. */
export class PasswordsBusy extends Busy {
  constructor() {
    super('Too many people are signing in right now. Please try again in a few seconds.')
  }
}

const keyLength = 32

// scrypt needs 128 · N · r bytes, more than node's default limit of 32 MiB.
const options = (ln: number, r: number, p: number): ScryptOptions => ({ N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r })

/** Throws PasswordsBusy if no further hash may wait. */
export function assertHashMayWait(): void {
  if (queue.size >= maxQueuedHashes) throw new PasswordsBusy()
}

const derive = async (password: string, salt: Buffer, length: number, cost: ScryptOptions): Promise<Buffer> => {
  assertHashMayWait()
  const hash = () =>
    new Promise<Buffer>((resolve, reject) => {
      // Keyboards may compose the same characters differently.
      scrypt(password.normalize('NFKC'), salt, length, cost, (error, key) => (error ? reject(error) : resolve(key)))
    })
  return queue.add(hash)
}

const format = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/

const serialize = (salt: Buffer, key: Buffer): string =>
  `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${salt.toString('base64')}$${key.toString('base64')}`

/** Returns a salted scrypt hash with its cost parameters. Runs off the event loop. Throws PasswordsBusy. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  return serialize(salt, await derive(password, salt, keyLength, options(cost.ln, cost.r, cost.p)))
}

/** A valid hash that no password matches. */
const dummyHash = serialize(randomBytes(16), randomBytes(keyLength))

/**
 * Whether a password matches a hash. Without a hash (no such account) it checks `dummyHash`, so that the response time
 * does not reveal which emails have accounts. Throws on an unknown hash format, and PasswordsBusy.
 */
export const verifyPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  const [, ln, r, p, salt, key] = format.exec(hash ?? dummyHash) ?? []
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
