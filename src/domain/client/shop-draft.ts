import { type ConnectShopBody, type Shop, type ShopKind, shopLimits } from '../../schemas/shop.ts'
import { t } from '../../texts/client-on-demand.ts'

/** A shop to connect. `token` and `secret` have names by which reports and the inspector omit them. */
export type ShopDraft = { kind: ShopKind; address: string; token: string; secret: string }

export const emptyShopDraft: ShopDraft = { kind: 'shopify', address: '', token: '', secret: '' }

/** The draft for a new key of a connected shop. */
export const draftFor = ({ kind, address }: Shop): ShopDraft => ({ ...emptyShopDraft, kind, address })

/** Whether nothing was typed that leaving the form would lose. */
export const isUntouched = ({ address, token, secret }: ShopDraft, shop: Shop | null): boolean =>
  address === (shop?.address ?? '') && token === '' && secret === ''

/** The reason why the shop cannot be connected; null if it can. */
export function shopBlockedReason({ kind, address, token, secret }: ShopDraft): string | null {
  if ([address, token, secret].some((text) => text.trim().length > shopLimits.text))
    return t('shared.tooLong', { most: shopLimits.text })
  if (address.trim() === '') return t('client.shopAddressMissing')
  if (kind === 'shopify' && !/\.myshopify\.com\/?$/i.test(address.trim())) return t('client.shopDomainWrong')
  return token.trim() === '' || secret.trim() === '' ? t('client.shopKeyMissing') : null
}

export const bodyOf = ({ token, ...draft }: ShopDraft): ConnectShopBody => ({ ...draft, key: token })
