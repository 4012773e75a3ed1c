import { BookmarkPlus } from 'lucide-react'
import type { RefObject } from 'react'
import { labelNameOf } from '../../domain/list/label-use.ts'
import { isSaveable, valuesOf } from '../../domain/list/saved-filters.ts'
import { viewOf } from '../../domain/list/views.ts'
import { offers, offersOutstanding } from '../../domain/session/features.ts'
import { safeName } from '../../domain/shown-text.ts'
import { nobody } from '../../schemas/conversation.ts'
import { t } from '../../texts/list-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { Select } from '../components/Field.tsx'
import { useDisplayedList, useLabels, useList, useMayOpen, useTeam, useUser } from '../use-inbox.ts'
import type { ListHandle } from './ConversationList.tsx'
import { membersInOrder } from './members-in-order.ts'
import { NewRows } from './NewRows.tsx'
import { useFilterChoice } from './use-filter-choice.ts'
import { useSavedFilters } from './use-saved-filters.ts'

/**
 * The filters below the page filter, or with `listRef` the right side of the list's head. One module, because the first load
 * has the name of each module that it loads on demand.
 */
export default function ListFilters({ listRef }: { listRef?: RefObject<ListHandle | null> }) {
  return listRef === undefined ? <Filters /> : <HeadTools listRef={listRef} />
}

/** The order of Waiting, and the rows that wait while the order is held. */
function HeadTools({ listRef }: { listRef: RefObject<ListHandle | null> }) {
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
      className="h-7 border-transparent text-ink-2 hover:border-edge"
      value={query.order ?? ''}
      onChange={({ target }) => chooseOrder(target.value === 'urgent' ? 'urgent' : undefined)}
    >
      <option value="">{t('list.orderLongest')}</option>
      <option value="urgent">{t('list.orderUrgent')}</option>
    </Select>
  )
}

/** The label filter stands here where the column of the views has no place for it. */
function Filters() {
  const { query } = useList()
  const { chooseLabel, chooseAssignee } = useFilterChoice()
  const user = useUser()
  const team = useTeam()
  const labels = useLabels()
  const maySave = useMayOpen('savedFilterManager')
  const { filters, save } = useSavedFilters()
  const members = membersInOrder(team, user.id)
  const isKnown = query.assignedTo === nobody || members.some(({ id }) => id === query.assignedTo)
  return (
    <div className="flex min-w-0 items-center gap-2 empty:hidden">
      {labels.length > 0 && (
        <Select
          aria-label={t('list.label')}
          className="flex-1 xl:hidden"
          value={query.labelId ?? ''}
          onChange={({ target }) => chooseLabel(target.value || undefined)}
        >
          <option value="">{t('list.allLabels')}</option>
          {labels.map((label) => (
            <option key={label.id} value={label.id}>
              {labelNameOf(label)}
            </option>
          ))}
        </Select>
      )}
      {offers(user, 'assignee-filter') && (
        <Select
          aria-label={t('list.filterAssignee')}
          className="flex-1 xl:max-w-44"
          value={query.assignedTo ?? ''}
          onChange={({ target }) => chooseAssignee(target.value || undefined)}
        >
          <option value="">{t('list.allAssignees')}</option>
          {members.map(({ id, name, is_active }) => (
            <option key={id} value={id}>
              {id === user.id
                ? t('list.member', { name: safeName(name) })
                : is_active
                  ? safeName(name)
                  : t('list.formerMember', { name: safeName(name) })}
            </option>
          ))}
          <option value={nobody}>{t('list.assignedToNobody')}</option>
          {query.assignedTo !== undefined && !isKnown && <option value={query.assignedTo}>{t('list.ruleGone')}</option>}
        </Select>
      )}
      {maySave && isSaveable(filters, query) && (
        <IconButton label={t('list.filterSave')} onClick={() => save(valuesOf(query))}>
          <BookmarkPlus size={16} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}
