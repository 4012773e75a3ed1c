import { ChevronRight } from 'lucide-react'
import { t } from '../../texts/list-on-demand.ts'

/** The fold of rows at the end of the list. */
export type Fold = {
  /** The number of folded rows that are loaded. */
  count: number
  isOpen: boolean
  /** Its button loads after the first answer. */
  hasButton: boolean
  toggle: () => void
}

type FoldButtonProps = {
  fold: Fold
  /** Its place in pixels; null if it is not in view. */
  top: number | null
  /** Further rows may belong to the fold, so their number is not known. */
  hasMore: boolean
}

/** Stands between the options and not among them, because a listbox may hold no button. */
export default function FoldButton({ fold: { count, isOpen, toggle }, top, hasMore }: FoldButtonProps) {
  if (top === null) return null
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className="absolute inset-x-0 top-0 flex h-9 items-center gap-2 px-4 font-medium text-ink-2 text-xs -outline-offset-2 hover:text-ink"
      style={{ transform: `translateY(${top}px)` }}
      onClick={toggle}
    >
      <ChevronRight size={14} aria-hidden="true" className={isOpen ? 'rotate-90' : undefined} />
      {t('list.late')}
      {!hasMore && <span className="font-normal tabular-nums">{count}</span>}
    </button>
  )
}
