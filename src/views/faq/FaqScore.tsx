import { reasonText } from '../../domain/faq/faq-reasons.ts'
import { percentOf } from '../../domain/faq/matching-form.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { FaqReason } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'

type FaqScoreProps = { keyword: string; score: number; reasons: readonly FaqReason[] }

/** How similar a message is to a keyword, and why. */
export function FaqScore({ keyword, score, reasons }: FaqScoreProps) {
  return (
    <div className="mt-0.5 text-2xs text-ink-2 [overflow-wrap:anywhere]">
      <p>
        {score >= 1
          ? t('faq.matched', { keywords: safeName(keyword) })
          : t('faq.score', { percent: percentOf(score), keyword: safeName(keyword) })}
      </p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason) => (
            <li key={`${reason.kind} ${reason.written} ${reason.read}`}>{reasonText(reason)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
