import { AlarmClock, ArrowDownUp } from 'lucide-react'
import type { RefObject } from 'react'
import { viewOf } from '../../domain/list/views.ts'
import { offersOutstanding } from '../../domain/session/features.ts'
import { t } from '../../texts/list-on-demand.ts'
import { classNames } from '../components/class-names.ts'
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
    <div className="flex items-center gap-2 empty:hidden max-md:order-1 max-md:gap-1">
      {isBelow && <OrderChoice />}
      {waiting > 0 && <NewRows count={waiting} isBelow={isBelow} list={listRef} />}
    </div>
  )
}

/** How Waiting is ordered, if the API offers a choice. On a phone an icon lies below the select, which is transparent there. */
function OrderChoice() {
  const { query } = useList()
  const { chooseOrder } = useFilterChoice()
  if (!offersOutstanding(useUser())) return null
  return (
    <span
      className={classNames(
        'max-md:relative max-md:grid max-md:size-11 max-md:place-items-center max-md:rounded-ui max-md:has-focus-visible:outline-2 max-md:has-focus-visible:outline-accent',
        query.order === 'urgent' ? 'text-accent' : 'text-ink-2',
      )}
    >
      {query.order === 'urgent' ? (
        <AlarmClock size={16} aria-hidden="true" className="md:hidden" />
      ) : (
        <ArrowDownUp size={16} aria-hidden="true" className="md:hidden" />
      )}
      <Select
        aria-label={t('list.order')}
        className="field-sizing-content h-7 border-transparent text-ink-2 hover:border-edge max-md:absolute max-md:inset-0 max-md:w-full max-md:opacity-0"
        value={query.order ?? ''}
        onChange={({ target }) => chooseOrder(target.value === 'urgent' ? 'urgent' : undefined)}
      >
        <option value="">{t('list.orderLongest')}</option>
        <option value="urgent">{t('list.orderUrgent')}</option>
      </Select>
    </span>
  )
}
