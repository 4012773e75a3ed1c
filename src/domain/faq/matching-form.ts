import type { FaqMatching } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'

/** The scores that the dialog offers, the most careful first. Null: only exact keywords reply. */
export const offeredScores: readonly FaqMatching['least_score'][] = [null, 0.9, 0.8]

/** A score in percent. */
export const percentOf = (score: number): number => Math.round(score * 100)

/** Why the setting cannot be saved; null if it can. `typed` is null if nothing was changed. */
export const matchingBlockedReason = (typed: FaqMatching | null): string | null =>
  typed === null ? t('faq.matchingUnchanged') : null
