import { BellOff, Check, Mail, Moon, Tag, UserRoundPlus, X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { selectChoosableCount } from '../../machines/list/displayed-list.ts'
import { maxStateChanges, type StateDecision } from '../../schemas/conversation-state.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { isApple } from '../components/is-apple.ts'
import { useLabelsDialog, useLabelsOffer } from '../use-labels.ts'
import { useDisplayedListActor, useStateChange, useStateDialog } from '../use-list.ts'
import { useSelector } from '../use-selector.ts'

type MarkedActionsProps = {
  ids: readonly string[]
  /** Receives the focus when its element disappears: a filter below the bar, or a button of the bar. */
  next: RefObject<{ focus: () => void } | null>
}

const hasFocus = (place: Element | null | undefined) => place?.contains(document.activeElement) === true

/** The bar with the actions for all chosen rows. It lies over the filters of the list, so that no row moves. */
export default function MarkedActions({ ids, next }: MarkedActionsProps) {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (hasFocus(bar.current?.previousElementSibling)) next.current?.focus()
  }, [next])
  // Before the bar is removed, because it then no longer has the focus.
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (hasFocus(element)) next.current?.focus()
    }
  }, [next])
  const change = useStateChange()
  const choose = useStateDialog()
  const labels = useLabelsOffer()
  const openLabels = useLabelsDialog()
  const displayed = useDisplayedListActor()
  const choosable = Math.min(useSelector(displayed, selectChoosableCount), maxStateChanges)
  const clear = () => displayed.send({ type: 'marks.cleared' })
  const decide = (decision: StateDecision) => {
    change(ids, decision)
    clear()
  }
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('list.actions')}
      className="absolute -inset-x-3 -bottom-3 flex min-h-[calc(100%+1rem)] max-md:inset-x-0 max-md:bottom-0 max-md:min-h-full flex-col justify-end gap-1 bg-accent-soft px-3 pb-2"
    >
      <div className="flex items-center gap-2">
        <p role="status" className="min-w-0 flex-1 truncate font-medium text-xs">
          {t(ids.length < maxStateChanges ? 'list.marked' : 'list.markedMost', { count: ids.length })}
        </p>
        {ids.length < choosable && (
          <Button
            variant="ghost"
            className="px-2"
            title={t('list.markAllTitle')}
            aria-keyshortcuts={isApple() ? 'Meta+A' : 'Control+A'}
            onClick={() => displayed.send({ type: 'all.marked' })}
          >
            {t(choosable < maxStateChanges ? 'list.markAll' : 'list.markFirst', { count: choosable })}
          </Button>
        )}
        <IconButton label={t('list.clearMarks')} className="-mr-2" onClick={clear}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="-ml-2 flex items-center gap-0.5">
        <IconButton label={t('list.done')} onClick={() => decide({ done: true })}>
          <Check size={16} aria-hidden="true" />
        </IconButton>
        <IconButton label={t('list.snooze')} onClick={() => choose('snooze', ids)}>
          <Moon size={16} aria-hidden="true" />
        </IconButton>
        <IconButton label={t('list.assign')} onClick={() => choose('assign', ids)}>
          <UserRoundPlus size={16} aria-hidden="true" />
        </IconButton>
        {labels.mayChange && (
          <IconButton label={t('list.labels')} onClick={() => openLabels({ ids })}>
            <Tag size={16} aria-hidden="true" />
          </IconButton>
        )}
        <IconButton label={t('list.markUnread')} onClick={() => decide({ unread: true })}>
          <Mail size={16} aria-hidden="true" />
        </IconButton>
        <IconButton label={t('list.mute')} onClick={() => decide({ muted: true })}>
          <BellOff size={16} aria-hidden="true" />
        </IconButton>
      </div>
    </div>
  )
}
