import { CircleCheck, Clock, Inbox, type LucideIcon, Moon, Settings2, UserRound, UserRoundPlus } from 'lucide-react'
import { labelNameOf } from '../../domain/list/label-use.ts'
import { safeName } from '../../domain/shown-text.ts'
import { type ConversationView, conversationViews, viewCountLimit } from '../../schemas/conversation-state.ts'
import { t } from '../../texts/list-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import {
  useDialog,
  useLabels,
  useLabelsOffer,
  useList,
  usePages,
  useTotals,
  useUserId,
  useViewCounts,
} from '../use-inbox.ts'
import { LabelDot } from './LabelChip.tsx'
import { PageDot } from './PageDot.tsx'
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

/** The views of the list with their counts: a column with words, with icons, or a row on a phone. */
function Views() {
  const { query, chooseView } = useList()
  const { urgent, ...counts } = useCounts()
  return conversationViews.map((view) => {
    const Icon = icons[view]
    const count = counts[view]
    const isUrgent = view === 'waiting' && urgent > 0
    const isChosen = query.view === view
    return (
      <button
        key={view}
        type="button"
        aria-current={isChosen || undefined}
        title={isUrgent ? t('list.viewUrgent', { count: urgent }) : undefined}
        className={classNames(
          'relative flex shrink-0 items-center gap-2.5 rounded-ui font-medium text-xs transition-colors',
          'xl:h-7.5 xl:w-full xl:px-3',
          'md:max-xl:h-12.5 md:max-xl:w-full md:max-xl:flex-col md:max-xl:justify-center md:max-xl:gap-0.5 md:max-xl:text-[0.65625rem]',
          'max-md:h-11 max-md:rounded-full max-md:px-3.5 max-md:text-base',
          isChosen ? 'bg-line text-ink max-md:bg-ink max-md:text-bg' : 'text-ink-2 hover:bg-line/60 hover:text-ink',
        )}
        onClick={() => chooseView(view)}
      >
        <Icon size={16} aria-hidden="true" className="shrink-0 max-md:hidden" />
        <span className="truncate md:max-xl:max-w-full">{t(viewNames[view])}</span>
        {count !== null && count !== '0' && (
          <span
            className={classNames(
              'grid h-5 min-w-5 shrink-0 place-items-center rounded-full px-1.5 text-2xs tabular-nums xl:ml-auto',
              'md:max-xl:absolute md:max-xl:top-0.5 md:max-xl:right-0.5 md:max-xl:h-4 md:max-xl:min-w-4 md:max-xl:px-1 md:max-xl:text-[0.625rem]',
              isUrgent ? 'bg-bad-soft font-semibold text-bad' : isChosen ? undefined : 'md:max-xl:bg-sunken',
            )}
          >
            {count}
            <span className="sr-only">{isUrgent && `, ${t('list.viewUrgent', { count: urgent })}`}</span>
          </span>
        )}
      </button>
    )
  })
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
  const { query, chooseLabel } = useList()
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

/** What stands beside the list: the views, and the pages and labels as filters. */
export default function ViewRail() {
  return (
    <>
      <Views />
      <PageFilter />
      <LabelFilter />
    </>
  )
}
