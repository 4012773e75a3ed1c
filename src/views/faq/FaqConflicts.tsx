import { TriangleAlert } from 'lucide-react'
import type { FaqConflict } from '../../domain/faq/faq-conflicts.ts'
import { safeName } from '../../domain/shown-text.ts'
import { t } from '../../texts/faq-on-demand.ts'

/** Conflicts that are shown before 'more'. */
const shown = 5

/** The questions that this entry and another one answer. Nothing if there are none. */
export function FaqConflicts({ conflicts }: { conflicts: readonly FaqConflict[] }) {
  if (conflicts.length === 0) return null
  return (
    <div role="status" className="rounded-ui bg-warn-soft px-3 py-2 text-warn text-xs">
      <p className="flex items-center gap-1.5 font-semibold">
        <TriangleAlert size={14} aria-hidden="true" className="shrink-0" />
        {t('faq.conflicts')}
      </p>
      <ul className="mt-1 grid gap-0.5">
        {conflicts.slice(0, shown).map(({ keyword, other, otherKeyword, isAnswered }) => (
          <li key={`${keyword} ${other.id} ${otherKeyword}`} className="[overflow-wrap:anywhere]">
            {t(isAnswered ? 'faq.conflictWins' : 'faq.conflictLoses', {
              keyword: safeName(keyword),
              title: safeName(other.title) || t('faq.untitled'),
              other: safeName(otherKeyword),
            })}
          </li>
        ))}
        {conflicts.length > shown && <li>{t('faq.moreConflicts', { count: conflicts.length - shown })}</li>}
      </ul>
    </div>
  )
}
