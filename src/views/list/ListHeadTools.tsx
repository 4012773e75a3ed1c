import type { RefObject } from 'react'
import { viewOf } from '../../domain/list/views.ts'
import { offersOutstanding } from '../../domain/session/features.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Select } from '../components/Select.tsx'
import { useUser } from '../use-inbox.ts'
import { useDisplayedList, useList } from '../use-list.ts'
import type { ListHandle } from './ConversationList.tsx'
import { NewRows } from './NewRows.tsx'
import { useFilterChoice } from './use-filter-choice.ts'

/** The right side of the list's head: the order of Waiting, and the rows that wait while the order is held. */
export default function ListHeadTools({ listRef }: { listRef: RefObject<ListHandle | null> }) {
  const { waiting } = useDisplayedList()
  const isBelow = viewOf(useList().query) === 'waiting'
  return (
    <>
      {isBelow && <OrderChoice />}
      {waiting > 0 && <NewRows count={waiting} isBelow={isBelow} list={listRef} />}
    </>
  )
}

/** How Waiting is ordered, if the API offers a choice. */
function OrderChoice() {
  const { query } = useList()
  const { chooseOrder } = useFilterChoice()
  if (!offersOutstanding(useUser())) return null
  return (
    <Select
      aria-label={t('list.order')}
      className="field-sizing-content h-7 border-transparent text-ink-2 hover:border-edge"
      value={query.order ?? ''}
      onChange={({ target }) => chooseOrder(target.value === 'urgent' ? 'urgent' : undefined)}
    >
      <option value="">{t('list.orderLongest')}</option>
      <option value="urgent">{t('list.orderUrgent')}</option>
    </Select>
  )
}
