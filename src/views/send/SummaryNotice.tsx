import { useEffect, useRef } from 'react'
import { formatMoney } from '../../domain/client/money.ts'
import type { SummaryChange } from '../../domain/client/summary-changes.ts'
import { selectChanges, selectKind } from '../../machines/client/summary-check.ts'
import type { Business } from '../../schemas/business.ts'
import { t } from '../../texts/send-on-demand.ts'
import { useBusiness } from '../client/use-business.ts'
import type { Summaries } from '../client/use-summaries.ts'
import { Button } from '../components/Button.tsx'
import { messageBox } from '../components/message-box.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

/** The changes that are listed; the others are counted. */
const maxListed = 5

type SummaryNoticeProps = { summaries: Summaries; onSendAnyway: () => void }

/** Above the text of a reply with a summary: what changed since the summary was made. Asks once before the message is sent. */
export default function SummaryNotice({ summaries, onSendAnyway }: SummaryNoticeProps) {
  const check = usePart('summaryCheck')
  const business = useBusiness()
  const changes = useSelector(check, (snapshot) => (snapshot ? selectChanges(snapshot) : null))
  const kind = useSelector(check, (snapshot) => (snapshot ? selectKind(snapshot) : null))
  const first = useRef<HTMLButtonElement>(null)
  const title = t(changes === null ? 'send.summaryUnchecked' : 'send.summaryChanged')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question takes the focus again
  useEffect(() => first.current?.focus(), [title])
  return (
    <div
      role="alertdialog"
      aria-label={title}
      className="grid gap-2 rounded-ui border border-warn bg-warn-soft px-3 py-2 text-xs"
    >
      <p className="font-semibold text-warn">{title}</p>
      {changes !== null && (
        <ul className="grid gap-1">
          {changes.slice(0, maxListed).map((change) => (
            <li key={`${change.order} ${change.type}`} dir="auto" className="[overflow-wrap:anywhere]">
              {changeText(change, business)}
            </li>
          ))}
          {changes.length > maxListed && <li>{t('send.moreChanges', { count: changes.length - maxListed })}</li>}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {changes === null ? (
          <Button
            ref={first}
            onClick={() => {
              check?.send({ type: 'check.retried' })
              messageBox()?.focus()
            }}
          >
            {t('send.checkAgain')}
          </Button>
        ) : (
          <Button
            ref={first}
            aria-busy={summaries.fetching !== null}
            onClick={() => {
              if (kind !== null) summaries.request(kind)
            }}
          >
            {t('send.updateSummary')}
          </Button>
        )}
        <Button variant="danger" onClick={onSendAnyway}>
          {t('send.sendSummaryAnyway')}
        </Button>
      </div>
    </div>
  )
}

function changeText(change: SummaryChange, business: Business): string {
  const { order } = change
  switch (change.type) {
    case 'added':
      return t('send.orderAdded', { order, total: formatMoney(change.total, business) })
    case 'removed':
      return t('send.orderRemoved', { order })
    case 'status':
      return t('send.orderStatusChanged', {
        order,
        before: change.before || t('send.noStatus'),
        after: change.after || t('send.noStatus'),
      })
    case 'total':
    case 'paid':
      return t(change.type === 'total' ? 'send.orderTotalChanged' : 'send.orderPaidChanged', {
        order,
        before: formatMoney(change.before, business),
        after: formatMoney(change.after, business),
      })
  }
}
