import { ArrowDown, ArrowUp } from 'lucide-react'
import type { RefObject } from 'react'
import { selectShown } from '../../machines/list/displayed-list.ts'
import { t } from '../../texts/list-on-demand.ts'
import { useDisplayedListActor } from '../use-list.ts'
import type { ListHandle } from './ConversationList.tsx'
import { newRowsMark } from './new-rows-button.ts'

type NewRowsProps = {
  count: number
  /** The new rows stand at the end of the list and not at its top. */
  isBelow: boolean
  list: RefObject<ListHandle | null>
}

/** Takes in the rows that wait while the order is held, and scrolls to them. */
export function NewRows({ count, isBelow, list }: NewRowsProps) {
  const actor = useDisplayedListActor()
  const take = () => {
    const { ids, late } = selectShown(actor.getSnapshot())
    actor.send({ type: 'arrivals.taken' })
    // The new rows are rendered by then.
    requestAnimationFrame(() => list.current?.show(isBelow ? Math.max(0, ids.length - late) : 0))
  }
  return (
    <button
      type="button"
      aria-label={t('list.newAbove', { count })}
      className="inline-flex h-7 shrink-0 touch:min-h-11 items-center gap-1 rounded-full bg-accent px-3 font-semibold text-accent-ink text-xs hover:bg-accent-strong"
      onClick={take}
      {...newRowsMark}
    >
      {t('list.newRows', { count })}
      {isBelow ? <ArrowDown size={13} aria-hidden="true" /> : <ArrowUp size={13} aria-hidden="true" />}
    </button>
  )
}
