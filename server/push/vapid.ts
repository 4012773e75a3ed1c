import { createECDH } from 'node:crypto'
import type { Db } from '../database/database.ts'
import type { Keyring } from '../secrets.ts'
import type { Settings } from '../settings.ts'
import { openStoredKey } from '../stored-keys.ts'

/** The keys by which push services know this server (RFC 8292), as base64url, and a contact address. */
export type Vapid = { subject: string; publicKey: string; privateKey: string }

/** The keys of all processes. The first start creates them; `npm run rekey` encrypts them with the newest secret key. */
export async function openVapid(db: Db, keyring: Keyring, settings: Settings): Promise<Vapid> {
  const privateKey = await openStoredKey(db, keyring, 'web push')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey)
  return {
    subject: contactOf(settings),
    publicKey: curve.getPublicKey('base64url'),
    privateKey: Buffer.from(privateKey).toString('base64url'),
  }
}

/** Push services demand an https or mailto address of the operator. */
function contactOf({ publicUrl, mail }: Settings): string {
  if (publicUrl?.startsWith('https:')) return publicUrl
  return `mailto:${mail?.from ?? 'postmaster@localhost.invalid'}`
}
