import { MessageSquareX, Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { conflictsOf, type FaqConflict } from '../../domain/faq/faq-conflicts.ts'
import { appliesTo } from '../../domain/faq/faq-pages.ts'
import { dateOf } from '../../domain/moments.ts'
import { offers } from '../../domain/session/features.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  type FaqActor,
  selectCategories,
  selectCategoryId,
  selectEntries,
  selectEntry,
  selectFilteredPage,
  selectHaveFailed,
  selectIsRefreshing,
} from '../../machines/faq/faq.ts'
import type { FaqEntry } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { Select } from '../components/Select.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useMay, useUser } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { FaqConflicts } from './FaqConflicts.tsx'
import { PageSelect, PagesLine } from './FaqPages.tsx'

/** The FAQ entries with their actions. */
export function FaqList({ actor, firstRef }: { actor: FaqActor; firstRef: RefObject<HTMLButtonElement | null> }) {
  const mayManage = useMay('faq.manage')
  const offersMore = offers(useUser(), 'faq-matching')
  const pageId = useSelector(actor, selectFilteredPage)
  const refreshing = useSelector(actor, selectIsRefreshing)
  const list = useRef<HTMLDivElement>(null)
  // On return from the form, the button that opened the form no longer exists, so the focus must be set.
  useEffect(() => {
    const edited = selectEntry(actor.getSnapshot())
    if (edited !== null) list.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(edited.id)}"]`)?.focus()
    else if (firstRef.current?.isConnected) firstRef.current.focus()
  }, [actor, firstRef])
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-3">
        {mayManage && (
          <Button ref={firstRef} variant="primary" onClick={() => actor.send({ type: 'item.added' })}>
            <Plus size={15} aria-hidden="true" />
            {t('faq.addFaq')}
          </Button>
        )}
        <Button disabled={refreshing} onClick={() => actor.send({ type: 'refetch.requested' })}>
          <RefreshCw size={14} aria-hidden="true" className={refreshing ? 'animate-spin' : undefined} />
          {t('shared.refresh')}
        </Button>
        {offersMore && mayManage && (
          <Button onClick={() => actor.send({ type: 'wrongAnswers.opened' })}>
            <MessageSquareX size={14} aria-hidden="true" />
            {t('faq.wrongAnswers')}
          </Button>
        )}
        <span className="flex-1 max-sm:hidden" />
        <CategoryFilter actor={actor} />
        {offersMore && (
          <PageSelect
            label={t('faq.filterPage')}
            none={t('faq.allPages')}
            className="max-w-full max-sm:basis-full sm:max-w-40"
            value={pageId}
            onChoose={(id) => actor.send({ type: 'page.chosen', pageId: id })}
          />
        )}
      </div>
      <div ref={list} className="scroller min-h-0 flex-1">
        <Entries actor={actor} />
      </div>
    </>
  )
}

function CategoryFilter({ actor }: { actor: FaqActor }) {
  const categories = useSelector(actor, selectCategories)
  const categoryId = useSelector(actor, selectCategoryId)
  return (
    <Select
      aria-label={t('faq.category')}
      className="max-w-full max-sm:basis-full"
      value={categoryId ?? ''}
      onChange={({ target }) => actor.send({ type: 'category.chosen', categoryId: target.value || null })}
    >
      <option value="">{t('faq.allCategories')}</option>
      {categories?.map(({ id, name }) => (
        <option key={id} value={id}>
          {safeName(name)}
        </option>
      ))}
    </Select>
  )
}

function Entries({ actor }: { actor: FaqActor }) {
  const entries = useSelector(actor, selectEntries)
  const failed = useSelector(actor, selectHaveFailed)
  const categoryId = useSelector(actor, selectCategoryId)
  const pageId = useSelector(actor, selectFilteredPage)
  const offersMore = offers(useUser(), 'faq-matching')
  const conflicts = useMemo(() => (offersMore ? conflictsOf(entries ?? []) : noConflicts), [offersMore, entries])
  if (entries === null) {
    return failed ? (
      <NotLoaded text={t('faq.notLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
    ) : (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t('faq.loading')}
      </p>
    )
  }
  if (entries.length === 0) {
    return <p className="px-4 py-8 text-center text-ink-2">{t('faq.none')}</p>
  }
  const inCategory = categoryId === null ? entries : entries.filter((entry) => entry.category_id === categoryId)
  if (inCategory.length === 0) return <p className="px-4 py-8 text-center text-ink-2">{t('faq.noneInCategory')}</p>
  const shown = pageId === null ? inCategory : inCategory.filter((entry) => appliesTo(entry, pageId))
  if (shown.length === 0) return <p className="px-4 py-8 text-center text-ink-2">{t('faq.noneOnPage')}</p>
  return (
    <ul aria-label={t('faq.list')}>
      {shown.map((entry) => (
        <Entry key={entry.id} entry={entry} conflicts={conflicts.get(entry.id) ?? none} actor={actor} />
      ))}
    </ul>
  )
}

const noConflicts: ReturnType<typeof conflictsOf> = new Map()
const none: readonly FaqConflict[] = []

type EntryProps = { entry: FaqEntry; conflicts: readonly FaqConflict[]; actor: FaqActor }

function Entry({ entry, conflicts, actor }: EntryProps) {
  const mayManage = useMay('faq.manage')
  const title = safeName(entry.title) || t('faq.untitled')
  return (
    <li className="grid gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 dir="auto" className="font-semibold [overflow-wrap:anywhere]">
            {title}
          </h3>
          <p className="mt-1 flex flex-wrap gap-1.5">
            <Badge>{safeName(entry.category_name ?? '') || t('faq.uncategorized')}</Badge>
            <Badge>{t('faq.priority', { priority: entry.priority })}</Badge>
            <Badge tone={entry.is_active ? 'ok' : 'warn'}>
              {entry.is_active ? t('shared.active') : t('shared.inactive')}
            </Badge>
          </p>
        </div>
        {mayManage && (
          <>
            <IconButton
              data-entry={entry.id}
              label={t('shared.edit', { name: title })}
              onClick={() => actor.send({ type: 'item.edited', item: entry })}
            >
              <Pencil size={15} aria-hidden="true" />
            </IconButton>
            <IconButton
              label={t('shared.deleteNamed', { name: title })}
              onClick={() => actor.send({ type: 'deletion.requested', item: entry })}
            >
              <Trash2 size={15} aria-hidden="true" />
            </IconButton>
          </>
        )}
      </div>
      <ul aria-label={t('faq.keywords')} className="flex flex-wrap gap-1">
        {entry.keywords.map((keyword) => (
          <li key={keyword} className="max-w-full rounded-tag border border-line px-1.5 py-0.5 text-xs">
            <bdi className="[overflow-wrap:anywhere]">{safeName(keyword)}</bdi>
          </li>
        ))}
      </ul>
      <PagesLine pageIds={entry.page_ids} />
      <FaqConflicts conflicts={conflicts} />
      <p dir="auto" className="whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">
        {entry.response}
      </p>
      <p className="text-2xs text-ink-3">{createdText(entry)}</p>
    </li>
  )
}

const createdText = ({ created_by_name, created_at }: FaqEntry): string => {
  const name = safeName(created_by_name ?? '') || t('shared.unknown')
  return created_at == null ? t('faq.createdBy', { name }) : t('faq.createdByOn', { name, date: dateOf(created_at) })
}
