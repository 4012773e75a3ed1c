import { nameOf } from '../../domain/list/conversation-text.ts'
import { t } from '../../texts/list-on-demand.ts'
import { useRow } from '../use-list.ts'

/** Whom a dialog about conversations concerns: the name of one, the number of several. */
export function ConcernedLine({ ids }: { ids: readonly string[] }) {
  const row = useRow(ids[0] ?? '')
  return (
    <p className="truncate border-line border-b px-4 py-2 text-ink-2">
      {ids.length === 1 && row !== null ? <bdi>{nameOf(row)}</bdi> : t('list.concerned', { count: ids.length })}
    </p>
  )
}
