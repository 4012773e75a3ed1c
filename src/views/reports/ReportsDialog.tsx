import { Download } from 'lucide-react'
import { type RefObject, useCallback, useId, useRef } from 'react'
import { groupsOf, type ReportChoice } from '../../domain/reports/report-choice.ts'
import { calendarDate, durationText, groupTitle, hasRepeats, reportTitle } from '../../domain/reports/report-text.ts'
import { can } from '../../domain/session/permissions.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  type ReportsActor,
  selectRangeProblem,
  selectReport,
  selectReportChoice,
  selectReportHasFailed,
  selectReportIsExporting,
} from '../../machines/reports/reports.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { type Report, type ReportGroup, reportDays, reportNames } from '../../schemas/report.ts'
import { t } from '../../texts/reports-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Choice } from '../components/Choice.tsx'
import { useTimedText } from '../components/clock.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { Field } from '../components/Field.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useOpenConversation } from '../open-conversation.tsx'
import { useDialog, useUser } from '../use-inbox.ts'
import { usePageList } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'
import { QuestionGroups } from './QuestionGroups.tsx'
import { AutomaticTable, ReportTable } from './ReportTable.tsx'

/** The reports for whoever leads the team. */
export default function ReportsDialog({ actor, title, onDismiss }: DialogProps<'reports'>) {
  const first = useRef<HTMLSelectElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      initialFocus={first}
      className="h-180 w-280 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <Choices actor={actor} firstRef={first} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section aria-label={title} tabIndex={0} className="scroller min-h-0 flex-1">
        <ShownReport actor={actor} onDismiss={onDismiss} />
      </section>
    </DialogFrame>
  )
}

const place = 'grid gap-1 max-sm:basis-[calc(50%-0.375rem)]'

function Choices({ actor, firstRef }: { actor: ReportsActor; firstRef: RefObject<HTMLSelectElement | null> }) {
  const choice = useSelector(actor, selectReportChoice)
  const exporting = useSelector(actor, selectReportIsExporting)
  const problem = useSelector(actor, selectRangeProblem)
  const { pages } = usePageList()
  const id = useId()
  const change = (changed: Partial<typeof choice>) => actor.send({ type: 'choice.changed', change: changed })
  const groups = groupsOf(choice.report)
  const pageName = (pageId: string) => pages.find((page) => page.page_id === pageId)?.page_name ?? ''
  return (
    <div className="flex shrink-0 flex-wrap items-end gap-3 border-line border-b px-4 py-3">
      <Choice
        ref={firstRef}
        place={place}
        label={t('reports.report')}
        className="sm:w-40"
        options={reportNames}
        textOf={reportTitle}
        value={choice.report}
        onChoose={(report) => change({ report })}
      />
      {groups.length > 0 && (
        <Choice
          place={place}
          label={t('reports.by')}
          className="sm:w-36"
          options={groups}
          textOf={groupTitle}
          value={choice.by}
          onChoose={(by) => change({ by })}
        />
      )}
      <Choice
        place={place}
        label={t('reports.social')}
        className="sm:w-40"
        options={['', ...pages.map((page) => page.page_id)]}
        textOf={(pageId) => (pageId === '' ? t('reports.allPages') : safeName(pageName(pageId)))}
        value={choice.pageId}
        onChoose={(pageId) => change({ pageId })}
      />
      {choice.report !== 'waiting' && (
        <>
          <Choice
            place={place}
            label={t('reports.range')}
            className="sm:w-36"
            options={[...reportDays, 'own']}
            textOf={rangeText}
            value={choice.range}
            onChoose={(range) => change({ range })}
          />
          {choice.range === 'own' &&
            (['from', 'to'] as const).map((end) => (
              <div key={end} className="max-sm:basis-[calc(50%-0.375rem)] sm:w-36">
                <Field
                  label={end === 'from' ? t('reports.from') : t('reports.to')}
                  type="date"
                  isInvalid={problem !== null}
                  describedBy={problem === null ? undefined : `${id}-problem`}
                  value={choice[end]}
                  onChange={({ target }) => change({ [end]: target.value })}
                />
              </div>
            ))}
        </>
      )}
      <Button
        className="ml-auto"
        aria-disabled={exporting || problem !== null}
        onClick={() => actor.send({ type: 'export.requested' })}
      >
        <Download size={15} aria-hidden="true" />
        {exporting ? t('reports.exporting') : t('reports.export')}
      </Button>
      {problem !== null && (
        <p id={`${id}-problem`} role="status" className="w-full text-bad text-xs">
          {problem}
        </p>
      )}
    </div>
  )
}

const rangeText = (range: ReportChoice['range']): string => {
  if (range === 'own') return t('reports.ownRange')
  return range === '1' ? t('reports.today') : t('reports.days', { days: range })
}

function ShownReport({ actor, onDismiss }: { actor: ReportsActor; onDismiss: () => void }) {
  const report = useSelector(actor, selectReport)
  const { by } = useSelector(actor, selectReportChoice)
  const failed = useSelector(actor, selectReportHasFailed)
  const problem = useSelector(actor, selectRangeProblem)
  if (failed) {
    return <NotLoaded text={t('reports.notLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
  }
  if (problem !== null) return null
  if (report === null) {
    return (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t('reports.loading')}
      </p>
    )
  }
  return (
    <>
      <Summary report={report} by={by} />
      <Rows report={report} by={by} onDismiss={onDismiss} />
    </>
  )
}

function Summary({ report, by }: { report: Report; by: ReportGroup }) {
  const sentence = useTimedText(useCallback((now) => summaryOf(report, now), [report]))
  return (
    <div className="grid gap-1 border-line border-b px-4 py-3">
      <p role="status" className="font-medium">
        {sentence}
      </p>
      {report.report === 'responses' && <p className="text-ink-2 text-xs">{t('reports.outcomes', report.outcomes)}</p>}
      <p className="text-ink-2 text-xs">
        {report.report === 'waiting'
          ? t('reports.shownNow')
          : t('reports.shownRange', {
              from: calendarDate(report.from),
              to: calendarDate(report.to),
              zone: report.time_zone,
            })}
      </p>
      {by === 'page' && hasRepeats(report) && <p className="text-ink-2 text-xs">{t('reports.onSeveralPages')}</p>}
      {!report.is_complete && <p className="text-warn text-xs">{t('reports.incomplete')}</p>}
    </div>
  )
}

/** The numbers in a sentence, or why there are none and what to do. */
function summaryOf(report: Report, now: number): string {
  switch (report.report) {
    case 'waiting': {
      const { count, longest_since } = report.total
      return longest_since === null
        ? t('reports.noneWaiting')
        : t('reports.waitingTotal', { count, age: durationText((now - Date.parse(longest_since)) / 1000) })
    }
    case 'responses':
    case 'resolutions': {
      const { count, median, p90 } = report.total
      const times = { count, median: durationText(median), p90: durationText(p90) }
      if (report.report === 'responses')
        return count === 0 ? t('reports.noneAnswered') : t('reports.responsesTotal', times)
      return count === 0 ? t('reports.noneClosed') : t('reports.resolutionsTotal', times)
    }
    case 'messages':
      return hasMessages(report) ? t('reports.messagesTotal', report.total) : t('reports.noneWritten')
    case 'questions':
      return report.total.asked === 0 ? t('reports.noneAsked') : t('reports.questionsTotal', report.total)
  }
}

const hasMessages = ({ total }: Report & { report: 'messages' }): boolean =>
  total.incoming + total.staff + total.automatic + total.outside > 0

const isEmpty = (report: Exclude<Report, { report: 'questions' }>): boolean =>
  report.report === 'messages' ? !hasMessages(report) : report.total.count === 0

function Rows({ report, by, onDismiss }: { report: Report; by: ReportGroup; onDismiss: () => void }) {
  const open = useOpenConversation()
  const dialog = useDialog()
  const user = useUser()
  if (report.report === 'questions') {
    if (report.total.asked === 0) return null
    return (
      <QuestionGroups
        report={report}
        mayAddEntry={can(user, 'faq.manage')}
        onOpen={(id) => {
          onDismiss()
          open(id)
        }}
        onAddEntry={() => {
          onDismiss()
          dialog.send({ type: 'dialog.requested', dialog: { name: 'faq' } })
        }}
      />
    )
  }
  return (
    <>
      {!isEmpty(report) && <ReportTable report={report} by={by} caption={reportTitle(report.report)} />}
      {report.report === 'responses' && report.automatic.length > 0 && (
        <section className="border-line border-t pt-3">
          <h3 className="px-4 font-semibold">{t('reports.automaticTitle')}</h3>
          <p className="px-4 text-ink-2 text-xs">{t('reports.automaticAdvice')}</p>
          <AutomaticTable rows={report.automatic} caption={t('reports.automaticTitle')} />
        </section>
      )}
    </>
  )
}
