import type { DerivedKeys, Keyring } from '../../server/secrets.ts'

/** The keys of a ring with one secret, for one purpose. */
export const keysOf = (byte: number): DerivedKeys => ({
  all: [{ id: 'test', key: new Uint8Array(32).fill(byte) }],
  hasIds: false,
})

/** A ring of one secret, as SECRET_KEY makes it. */
export const ringOf = (secret: string): Keyring => ({ secrets: [secret], hasIds: false })
