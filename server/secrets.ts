import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

/**
 * The secrets that this server knows, newest first. Everything is written with the newest and read with any. `hasIds`:
 * encrypted values contain the id of their key. Without ids, values have the format of releases before SECRET_KEYS.
 */
export type Keyring = { secrets: readonly [string, ...string[]]; hasIds: boolean }

/** The keys of a ring for one purpose, newest first. An id tells which secret a value was encrypted with. */
export type DerivedKeys = { all: readonly [DerivedKey, ...DerivedKey[]]; hasIds: boolean }
type DerivedKey = { id: string; key: Uint8Array }

/** The ring of SECRET_KEYS, else of SECRET_KEY, else of the data directory. */
export function keyringOf(settings: {
  secretKeys: readonly [string, ...string[]] | undefined
  secretKey: string | undefined
  dataDir: string
}): Keyring {
  if (settings.secretKeys !== undefined) return { secrets: settings.secretKeys, hasIds: true }
  return { secrets: [settings.secretKey ?? loadSecretKey(settings.dataDir)], hasIds: false }
}

/** Derives the keys of a ring for one purpose. */
export function deriveKeys({ secrets: [newest, ...older], hasIds }: Keyring, purpose: string): DerivedKeys {
  const derived = (secret: string): DerivedKey => ({ id: keyIdOf(secret), key: deriveKey(secret, purpose) })
  return { all: [derived(newest), ...older.map(derived)], hasIds }
}

/** Twelve hexadecimal digits that reveal nothing of the secret. */
const keyIdOf = (secret: string) => Buffer.from(deriveKey(secret, 'key id')).toString('hex').slice(0, 12)

/** Derives a 32-byte key for one purpose (HKDF). A derived key reveals neither the secret nor other keys. */
export function deriveKey(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, 'staff-inbox', purpose, 32))
}

/** A created secret has 43 characters. */
const minSecretLength = 32

/**
 * Reads the secret from the data directory; creates it on the first start. Throws StartupError for an empty or cut file,
 * as a full disk leaves it: its keys could be guessed.
 */
export function loadSecretKey(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const secret = readFileSync(file, 'utf8')
  if (secret.length >= minSecretLength) return secret
  throw new StartupError(
    `${file} holds no whole key. Restore it from your copy; if this was the first start, delete it and start again.`,
  )
}

/** The start-up warning for a shared database with a local secret key; null if there is nothing to warn about. */
export function secretKeyWarning(settings: {
  databaseUrl: string | undefined
  secretKeys: readonly string[] | undefined
  secretKey: string | undefined
  dataDir: string
}): string | null {
  const isSet = settings.secretKeys !== undefined || settings.secretKey !== undefined
  if (settings.databaseUrl === undefined || isSet) return null
  return `SECRET_KEY is not set: the key in ${settings.dataDir} is on this machine alone. A server elsewhere on the same database takes none of its tokens and cannot read the stored page tokens.`
}
