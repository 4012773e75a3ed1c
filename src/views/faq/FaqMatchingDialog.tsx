import { useId } from 'react'
import { offeredScores, percentOf } from '../../domain/faq/matching-form.ts'
import { faqMatching } from '../../machines/faq/faq-matching.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { SettingsDialog } from '../SettingsDialog.tsx'

const describe = (score: number | null): { name: string; hint: string | null } => {
  if (score === null) return { name: t('faq.scoreNever'), hint: t('faq.scoreNeverHint') }
  const percent = percentOf(score)
  if (score === 0.9) return { name: t('faq.scoreCareful', { percent }), hint: t('faq.scoreCarefulHint') }
  if (score === 0.8) return { name: t('faq.scoreGenerous', { percent }), hint: t('faq.scoreGenerousHint') }
  return { name: t('faq.scoreOther', { percent }), hint: null }
}

/** When a message that only resembles a keyword is answered automatically. */
export default function FaqMatchingDialog(props: DialogProps<'faqMatching'>) {
  const name = useId()
  return (
    <SettingsDialog
      {...props}
      form={faqMatching}
      texts={{
        loading: t('faq.matchingLoading'),
        failed: t('faq.matchingNotLoaded'),
        overtaken: t('faq.matchingOvertaken'),
        save: t('faq.matchingSave'),
      }}
      className="w-120"
    >
      {({ least_score }, saving) => {
        // Another program may have stored a score that is not offered here.
        const scores = offeredScores.includes(least_score) ? offeredScores : [...offeredScores, least_score]
        return (
          <fieldset disabled={saving} className="grid gap-1 p-4">
            <legend className="sr-only">{props.title}</legend>
            <p className="mb-2 text-ink-2 text-xs">{t('faq.matchingAdvice')}</p>
            {scores.map((score) => {
              const { name: text, hint } = describe(score)
              return (
                <label key={String(score)} className="flex cursor-pointer items-start gap-2 py-1.5 touch:min-h-11">
                  <input
                    type="radio"
                    name={name}
                    className="mt-0.5 size-4 shrink-0 accent-accent"
                    checked={least_score === score}
                    onChange={() => props.actor.send({ type: 'settings.edited', settings: { least_score: score } })}
                  />
                  <span>
                    <span className="block">{text}</span>
                    {hint !== null && <span className="block text-ink-2 text-xs">{hint}</span>}
                  </span>
                </label>
              )
            })}
            <p className="mt-2 text-ink-2 text-xs">{t('faq.matchingDoubts')}</p>
          </fieldset>
        )
      }}
    </SettingsDialog>
  )
}
