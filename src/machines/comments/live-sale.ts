import { isSameSale, noSale, saleBlockedReason, saleToasts } from '../../domain/comments/live-sale.ts'
import type { LiveSale, SalePost } from '../../schemas/live-sale.ts'
import { settingsForm } from '../settings-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    liveSale: typeof liveSaleMachine
  }
}

/** The dialog of a sale by comments, with the posts that it can be about. */
export const liveSale = settingsForm<LiveSale, { posts: readonly SalePost[] }>({
  id: 'liveSale',
  facts: { posts: [] },
  defaults: () => noSale,
  isSame: isSameSale,
  blockedReason: saleBlockedReason,
  toasts: saleToasts,
})
export const liveSaleMachine = liveSale.machine
