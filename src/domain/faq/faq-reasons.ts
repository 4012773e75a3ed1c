import type { FaqDoubt, FaqReason } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { safeName } from '../shown-text.ts'

const reasonTexts = {
  meaning: 'faq.reasonMeaning',
  spelling: 'faq.reasonSpelling',
  ending: 'faq.reasonEnding',
  prefix: 'faq.reasonPrefix',
  typing: 'faq.reasonTyping',
  spacing: 'faq.reasonSpacing',
  particle: 'faq.reasonParticle',
} as const satisfies Record<FaqReason['kind'], Parameters<typeof t>[0]>

/** How a word was read: “mgkano” read as “magkano” (typing error). */
export const reasonText = ({ kind, written, read }: FaqReason): string =>
  t(reasonTexts[kind], { written: safeName(written), read: safeName(read) })

const doubtTexts = {
  'exact-only': 'faq.doubtExactOnly',
  'low-score': 'faq.doubtLowScore',
  several: 'faq.doubtSeveral',
  negation: 'faq.doubtNegation',
  long: 'faq.doubtLong',
} as const satisfies Record<FaqDoubt, Parameters<typeof t>[0]>

/** Why a similar entry does not reply by itself. */
export const doubtText = (doubt: FaqDoubt): string => t(doubtTexts[doubt])
