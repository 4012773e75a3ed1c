import {
  Bookmark,
  CircleCheck,
  Clock,
  Inbox,
  type LucideIcon,
  MessagesSquare,
  Moon,
  Settings2,
  TriangleAlert,
  UserRound,
  UserRoundPlus,
} from 'lucide-react'
import { type ComponentProps, useEffect, useRef } from 'react'
import { labelNameOf } from '../../domain/list/label-use.ts'
import { filterShown } from '../../domain/list/saved-filters.ts'
import { safeName } from '../../domain/shown-text.ts'
import { type ConversationView, conversationViews, viewCountLimit } from '../../schemas/conversation-state.ts'
import { t } from '../../texts/list-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { useWaitingComments } from '../use-colleagues.ts'
import { useDialog, useMayOpen, useUserId } from '../use-inbox.ts'
import { useLabels, useLabelsOffer } from '../use-labels.ts'
import { useList, useTotals, useViewCounts } from '../use-list.ts'
import { usePages } from '../use-pages.ts'
import { LabelDot } from './LabelChip.tsx'
import { PageDot } from './PageDot.tsx'
import { useFilterChoice } from './use-filter-choice.ts'
import { useSavedFilters } from './use-saved-filters.ts'
import { viewNames } from './view-names.ts'

const icons: Record<ConversationView, LucideIcon> = {
  waiting: Clock,
  mine: UserRound,
  unassigned: UserRoundPlus,
  all: Inbox,
  snoozed: Moon,
  done: CircleCheck,
}

const figures = new Intl.NumberFormat()

/** A count as it is shown: the server counts up to a limit. */
const figureOf = (count: number): string =>
  count >= viewCountLimit ? t('list.manyOf', { count: viewCountLimit - 1 }) : figures.format(count)

/** The number of conversations of each view; null if it is not known or not shown. */
function useCounts(): Record<ConversationView, string | null> & { urgent: number } {
  const views = useViewCounts()
  const { conversations } = useTotals()
  const userId = useUserId()
  const shown = (count: number | undefined) => (count === undefined ? null : figureOf(count))
  return {
    waiting: shown(views?.waiting),
    mine: shown(views === null ? undefined : (views.assigned[userId] ?? 0)),
    unassigned: shown(views?.unassigned),
    all: conversations === null ? null : figures.format(conversations),
    snoozed: shown(views?.snoozed),
    // The number of closed conversations says nothing and only grows.
    done: null,
    urgent: views?.urgent ?? 0,
  }
}

type RailButtonProps = Omit<ComponentProps<'button'>, 'className' | 'type'> & { icon: LucideIcon; isChosen: boolean }

/** A line of a column with words, an icon over its name, or a pill in a row on a phone. */
function RailButton({ icon: Icon, isChosen, children, ...rest }: RailButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  // On a phone the row of pills may hide the chosen one beyond its edge.
  useEffect(() => {
    if (isChosen) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isChosen])
  return (
    <button
      ref={button}
      type="button"
      aria-current={isChosen || undefined}
      className={classNames(
        'relative flex shrink-0 items-center gap-2.5 rounded-ui font-medium text-xs transition-colors',
        'xl:h-7.5 xl:w-full xl:px-3',
        'md:max-xl:h-12.5 md:max-xl:w-full md:max-xl:flex-col md:max-xl:justify-center md:max-xl:gap-0.5 md:max-xl:text-[0.65625rem]',
        'max-md:h-11 max-md:scroll-mx-8 max-md:rounded-full max-md:px-3.5 max-md:text-base',
        isChosen ? 'bg-line text-ink max-md:bg-ink max-md:text-bg' : 'text-ink-2 hover:bg-line/60 hover:text-ink',
      )}
      {...rest}
    >
      <Icon size={16} aria-hidden="true" className="shrink-0 max-md:hidden" />
      {children}
    </button>
  )
}

const countClasses = classNames(
  'grid h-5 min-w-5 shrink-0 place-items-center rounded-full px-1.5 text-2xs tabular-nums xl:ml-auto',
  'md:max-xl:absolute md:max-xl:top-0.5 md:max-xl:right-0.5 md:max-xl:h-4 md:max-xl:min-w-4 md:max-xl:px-1 md:max-xl:text-[0.625rem]',
)

/** The views of the list with their counts. */
function Views() {
  const { query, chooseView } = useList()
  const { urgent, ...counts } = useCounts()
  return conversationViews.map((view) => {
    const count = counts[view]
    const isUrgent = view === 'waiting' && urgent > 0
    const isChosen = query.view === view
    return (
      <RailButton
        key={view}
        icon={icons[view]}
        isChosen={isChosen}
        title={isUrgent ? t('list.viewUrgent', { count: urgent }) : undefined}
        onClick={() => chooseView(view)}
      >
        <span className="truncate md:max-xl:max-w-full">{t(viewNames[view])}</span>
        {count !== null && count !== '0' && (
          <span
            className={classNames(
              countClasses,
              isUrgent ? 'bg-bad-soft font-semibold text-bad' : isChosen ? undefined : 'md:max-xl:bg-sunken',
            )}
          >
            {count}
            <span className="sr-only">{isUrgent && `, ${t('list.viewUrgent', { count: urgent })}`}</span>
          </span>
        )}
      </RailButton>
    )
  })
}

/** Comments under posts are no conversations: the button opens their dialog. */
function Comments() {
  const dialog = useDialog()
  const isOffered = useMayOpen('comments')
  const waiting = useWaitingComments()
  if (!isOffered) return null
  return (
    <RailButton
      icon={MessagesSquare}
      isChosen={false}
      title={waiting ? t('list.commentsWaiting', { count: waiting }) : undefined}
      onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'comments', input: {} } })}
    >
      <span className="truncate md:max-xl:max-w-full">{t('list.comments')}</span>
      {waiting !== null && waiting > 0 && (
        <span className={countClasses}>
          {figureOf(waiting)}
          <span className="sr-only">, {t('list.commentsWaiting', { count: waiting })}</span>
        </span>
      )}
    </RailButton>
  )
}

/** The filters that the person saved. A press shows one; one that no longer works opens the dialog, which says why. */
function SavedFilterList() {
  const { query } = useList()
  const { filters, apply, manage, deletedPartOf } = useSavedFilters()
  if (filters.length === 0) return null
  const shown = filterShown(filters, query)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div role="group" aria-label={t('list.savedFilters')} className="max-md:contents md:mt-4">
      <div className="flex items-center pr-1 pl-3 max-xl:hidden">
        <p aria-hidden="true" className="flex-1 pb-1 font-medium text-2xs text-ink-2">
          {t('list.savedFilters')}
        </p>
        <IconButton label={t('list.manageFilters')} className="h-6 w-6" onClick={manage}>
          <Settings2 size={13} aria-hidden="true" />
        </IconButton>
      </div>
      {filters.map((filter) => {
        const name = safeName(filter.name)
        const isGone = deletedPartOf(filter) !== null
        return (
          <RailButton
            key={filter.id}
            icon={isGone ? TriangleAlert : Bookmark}
            isChosen={filter === shown}
            title={isGone ? t('list.filterGone', { name }) : name}
            aria-label={isGone ? t('list.filterGone', { name }) : undefined}
            onClick={() => (isGone ? manage() : apply(filter))}
          >
            <bdi className="truncate max-md:max-w-40 md:max-xl:max-w-full">{name}</bdi>
          </RailButton>
        )
      })}
    </div>
  )
}

/** The connected pages with their colours, on wide screens. A press shows one page alone, the next press all of them. */
function PageFilter() {
  const { query } = useList()
  const { pages, choosePage } = usePages()
  if (pages.length < 2) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div role="group" aria-label={t('shared.pages')} className="mt-4 max-xl:hidden">
      <p aria-hidden="true" className="px-3 pb-1 font-medium text-2xs text-ink-2">
        {t('shared.pages')}
      </p>
      {pages.map(({ page_id, page_name }) => {
        const isChosen = query.pageId === page_id
        return (
          <button
            key={page_id}
            type="button"
            aria-pressed={isChosen}
            title={safeName(page_name)}
            className={classNames(
              'flex h-7.5 w-full items-center gap-2.5 rounded-ui px-3 text-left text-xs transition-colors',
              isChosen ? 'bg-line text-ink' : 'text-ink-2 hover:bg-line/60 hover:text-ink',
            )}
            onClick={() => choosePage(isChosen ? null : page_id)}
          >
            <span className="grid w-4 shrink-0 place-items-center">
              <PageDot pageId={page_id} />
            </span>
            <span className="truncate">{safeName(page_name)}</span>
          </button>
        )
      })}
    </div>
  )
}

/** The labels with their colours, on wide screens. A press shows the conversations with one label, the next press all. */
function LabelFilter() {
  const { query } = useList()
  const { chooseLabel } = useFilterChoice()
  const labels = useLabels()
  const { offered, mayManage } = useLabelsOffer()
  const dialog = useDialog()
  if (!offered || (labels.length === 0 && !mayManage)) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div role="group" aria-label={t('list.labels')} className="mt-4 max-xl:hidden">
      <div className="flex items-center pr-1 pl-3">
        <p aria-hidden="true" className="flex-1 pb-1 font-medium text-2xs text-ink-2">
          {t('list.labels')}
        </p>
        {mayManage && (
          <IconButton
            label={t('list.manageLabels')}
            className="h-6 w-6"
            onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'labelManager' } })}
          >
            <Settings2 size={13} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {labels.map((label) => {
        const isChosen = query.labelId === label.id
        const name = labelNameOf(label)
        return (
          <button
            key={label.id}
            type="button"
            aria-pressed={isChosen}
            title={name}
            className={classNames(
              'flex h-7.5 w-full items-center gap-2.5 rounded-ui px-3 text-left text-xs transition-colors',
              isChosen ? 'bg-line text-ink' : 'text-ink-2 hover:bg-line/60 hover:text-ink',
            )}
            onClick={() => chooseLabel(isChosen ? undefined : label.id)}
          >
            <span className="grid w-4 shrink-0 place-items-center">
              <LabelDot colour={label.colour} />
            </span>
            <bdi className="truncate">{name}</bdi>
          </button>
        )
      })}
    </div>
  )
}

/** What stands beside the list: the views, the saved filters, and the pages and labels as filters. */
export default function ViewRail() {
  return (
    <>
      <Views />
      <Comments />
      <SavedFilterList />
      <PageFilter />
      <LabelFilter />
    </>
  )
}
