import { faqToasts } from '../../domain/faq/dialog-toasts.ts'
import { matchingBlockedReason } from '../../domain/faq/matching-form.ts'
import { type FaqMatching, usualFaqMatching } from '../../schemas/faq.ts'
import { settingsForm } from '../settings-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    faqMatching: typeof faqMatchingMachine
  }
}

/** The dialog of what may reply besides exact keywords. */
export const faqMatching = settingsForm<FaqMatching, null>({
  id: 'faqMatching',
  facts: null,
  defaults: () => usualFaqMatching,
  isSame: (one, other) => one.least_score === other.least_score,
  blockedReason: matchingBlockedReason,
  toasts: {
    saved: faqToasts.matchingSaved,
    failed: faqToasts.matchingFailed,
    saveFailed: faqToasts.matchingSaveFailed,
  },
})
export const faqMatchingMachine = faqMatching.machine
