import { BookmarkPlus } from 'lucide-react'
import { labelNameOf } from '../../domain/list/label-use.ts'
import { isSaveable, valuesOf } from '../../domain/list/saved-filters.ts'
import { offers } from '../../domain/session/features.ts'
import { safeName } from '../../domain/shown-text.ts'
import { nobody } from '../../schemas/conversation.ts'
import { t } from '../../texts/list-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { Select } from '../components/Select.tsx'
import { useMayOpen, useTeam, useUser } from '../use-inbox.ts'
import { useLabels } from '../use-labels.ts'
import { useList } from '../use-list.ts'
import { membersInOrder } from './members-in-order.ts'
import { useFilterChoice } from './use-filter-choice.ts'
import { useSavedFilters } from './use-saved-filters.ts'

/** The filters below the page filter. The label filter stands here where the column of the views has no place for it. */
export default function ListFilters() {
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
    <div className="flex min-w-0 items-center gap-2 max-md:flex-none empty:hidden">
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
