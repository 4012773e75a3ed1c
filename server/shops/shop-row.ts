import type { Row } from '../database/tables.ts'
import { unseal } from '../sealing.ts'
import type { DerivedKeys } from '../secrets.ts'
import { type ShopCredentials, shopCredentials } from './shop.ts'
import { ShopError } from './shop-error.ts'

/** The purpose of the keys that seal the credentials of shops. */
export const shopsPurpose = 'shops'

export type ShopRow = Row<'shops'>

/** Throws ShopError 'key' if no key of the ring opens the credentials: the shop must be connected again. */
export function credentialsOf(keys: DerivedKeys, shop: Pick<ShopRow, 'id' | 'credentials_encrypted'>): ShopCredentials {
  const text = unseal(keys, shop.credentials_encrypted, { context: shop.id })
  if (text === null) throw new ShopError('key')
  return shopCredentials.parse(JSON.parse(text))
}

/** The address to which a shop delivers its webhooks; null if the server has no public address. */
export type DeliveryUrl = (shop: { kind: ShopRow['kind']; address: string; id: string }) => string | null
