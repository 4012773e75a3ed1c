import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Derives a 32-byte key for one purpose (HKDF). A derived key reveals neither the secret nor other keys. */
export function deriveKey(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, 'staff-inbox', purpose, 32))
}

/** Reads the secret from the data directory; creates it on the first start. */
export function loadSecretKey(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8')
}

/** The start-up warning for a shared database with a local secret key; null if there is nothing to warn about. */
export function secretKeyWarning(settings: {
  databaseUrl: string | undefined
  secretKey: string | undefined
  dataDir: string
}): string | null {
  if (settings.databaseUrl === undefined || settings.secretKey !== undefined) return null
  return `SECRET_KEY is not set: the key in ${settings.dataDir} is on this machine alone. A server elsewhere on the same database takes none of its tokens and cannot read the stored page tokens.`
}
