import { useId } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import type { QuestionGroup, Report } from '../../schemas/report.ts'
import { t } from '../../texts/reports-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'

type QuestionGroupsProps = {
  report: Report & { report: 'questions' }
  mayAddEntry: boolean
  onOpen: (conversationId: string) => void
  onAddEntry: () => void
}

/** The questions that no FAQ entry answers, and those that several answer. */
export function QuestionGroups({ report, mayAddEntry, onOpen, onAddEntry }: QuestionGroupsProps) {
  return (
    <div className="grid gap-4 px-4 py-3">
      <section className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 className="font-semibold">{t('reports.unanswered')}</h3>
          {mayAddEntry && <Button onClick={onAddEntry}>{t('reports.addEntry')}</Button>}
        </div>
        {report.unanswered.length === 0 ? (
          <p className="text-ink-2">{t('reports.noUnanswered')}</p>
        ) : (
          <Groups groups={report.unanswered} onOpen={onOpen} />
        )}
      </section>
      {report.conflicts.length > 0 && (
        <section className="grid gap-2">
          <h3 className="font-semibold">{t('reports.conflicts')}</h3>
          <p className="text-ink-2 text-xs">{t('reports.conflictsAdvice')}</p>
          <Groups groups={report.conflicts} onOpen={onOpen} />
        </section>
      )}
    </div>
  )
}

function Groups({ groups, onOpen }: { groups: readonly QuestionGroup[]; onOpen: (conversationId: string) => void }) {
  const id = useId()
  return (
    <ul className="grid gap-2">
      {groups.map(({ text, count, asked_at, conversation_id, entries }, index) => (
        <li key={`${text} ${asked_at}`} className="grid gap-1 rounded-ui border border-line px-3 py-2">
          <p id={`${id}-${index}`} dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
            {text}
          </p>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2 text-xs">
            <span className="tabular-nums">{t('reports.times', { count })}</span>
            <RelativeTime moment={asked_at} />
            {entries.length > 0 && (
              <bdi className="min-w-0 [overflow-wrap:anywhere]">
                {entries.map(({ title }) => safeName(title)).join(' · ')}
              </bdi>
            )}
            <button
              type="button"
              aria-describedby={`${id}-${index}`}
              className="ml-auto text-accent underline touch:min-h-11"
              onClick={() => onOpen(conversation_id)}
            >
              {t('reports.openConversation')}
            </button>
          </p>
        </li>
      ))}
    </ul>
  )
}
