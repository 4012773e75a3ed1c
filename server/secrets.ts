import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A key of 32 bytes for one purpose; from one derived key neither the secret nor another key can be found. */
export function deriveKey(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, 'staff-inbox', purpose, 32))
}

/** The secret that a data directory keeps for a server that was given none; made on the first start. */
export function secretKeyIn(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8')
}

/** What to say at the start of a server whose database others may share, but whose secret is in its own directory; or null. */
export function warningOfKey(settings: {
  databaseUrl: string | undefined
  secretKey: string | undefined
  dataDir: string
}): string | null {
  if (settings.databaseUrl === undefined || settings.secretKey !== undefined) return null
  return `SECRET_KEY is not set: the key in ${settings.dataDir} is on this machine alone. A server elsewhere on the same database takes none of its tokens and cannot read the stored page tokens.`
}
