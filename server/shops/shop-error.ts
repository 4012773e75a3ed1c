/**
 * Why a call of a shop failed. `key`: the key is wrong. `scope`: the key lacks a permission. `address`: there is no such
 * shop. `cursor`: the shop refused the cursor. `limited`: the rate limit stays reached. `unreachable`: no
 * answer, or an error of the shop. `answer`: an answer of an unknown form. The message is for staff.
 */
export class ShopError extends Error {
  override readonly name = 'ShopError'
  readonly code: ShopFault
  constructor(code: ShopFault, missing: readonly string[] = []) {
    super(missing.length === 0 ? texts[code] : `The key lacks these permissions: ${missing.join(', ')}.`)
    this.code = code
  }
}

type ShopFault = 'key' | 'scope' | 'address' | 'cursor' | 'limited' | 'unreachable' | 'answer'

const texts: Record<ShopFault, string> = {
  key: 'The shop refuses the key. Check it, or make a new one in the shop.',
  scope: 'The key lacks a permission. Let it read orders and customers and write webhooks.',
  address: 'There is no shop with this interface at the address. Check the address.',
  cursor: 'The shop no longer knows where the list stopped.',
  limited: 'The shop limits the calls just now. Please try again in a minute.',
  unreachable: 'The shop cannot be reached just now. Please try again.',
  answer: 'The shop answered in an unknown form.',
}

/** Whether the same call may succeed later. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ShopError) || error.code === 'limited' || error.code === 'unreachable'
