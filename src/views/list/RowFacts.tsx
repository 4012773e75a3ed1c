import { useMemo } from 'react'
import { formatMoney } from '../../domain/client/money.ts'
import { businessOf } from '../../schemas/business.ts'
import { t } from '../../texts/list-on-demand.ts'
import { useUser } from '../use-inbox.ts'
import { LabelChips } from './LabelChip.tsx'

type RowFactsProps = { labelIds: readonly string[] } | { due: number }

/**
 * The labels in a row of the list, two and how many more, or what is due, in cents. One module, because the first load has
 * the name of each module that it loads on demand.
 */
export default function RowFacts(props: RowFactsProps) {
  return 'due' in props ? (
    <Due cents={props.due} />
  ) : (
    <LabelChips ids={props.labelIds} most={2} className="shrink-0" chipClassName="max-w-20" />
  )
}

/** What the linked client owes, in place of the word 'Linked' (spec section 2), which stays for readers and as the title. */
function Due({ cents }: { cents: number }) {
  const user = useUser()
  const amount = useMemo(() => formatMoney(cents, businessOf(user)), [cents, user])
  return (
    <span title={t('list.linked')} className="shrink-0 whitespace-nowrap font-medium text-2xs text-ink-2 tabular-nums">
      {t('list.due', { amount })}
      <span className="sr-only">, {t('list.linked')}</span>
    </span>
  )
}
