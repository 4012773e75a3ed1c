import { useMemo } from 'react'
import { formatMoney } from '../../domain/client/money.ts'
import { businessOf } from '../../schemas/business.ts'
import { t } from '../../texts/list-on-demand.ts'
import { useUser } from '../use-inbox.ts'

/**
 * What the linked client owes, in place of the word 'Linked' (spec section 2), which stays for screen readers and as
 * the title.
 */
export default function RowDue({ cents }: { cents: number }) {
  const user = useUser()
  const amount = useMemo(() => formatMoney(cents, businessOf(user)), [cents, user])
  return (
    <span
      data-not-saved
      title={t('list.linked')}
      className="shrink-0 whitespace-nowrap font-medium text-2xs text-ink-2 tabular-nums"
    >
      {t('list.due', { amount })}
      <span className="sr-only">, {t('list.linked')}</span>
    </span>
  )
}
