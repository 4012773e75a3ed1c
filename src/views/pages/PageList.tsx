import { LogIn, Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { dateAndTime } from '../../domain/moments.ts'
import { isDisconnected } from '../../domain/pages/page-state.ts'
import type { PictureScope } from '../../domain/pages/pages-calls.ts'
import { pageToasts } from '../../domain/pages/toasts.ts'
import { safeName } from '../../domain/shown-text.ts'
import { type PageManagerActor, selectPage, selectRefreshing } from '../../machines/pages/page-manager.ts'
import type { Page } from '../../schemas/page.ts'
import { t } from '../../texts/pages-on-demand.ts'
import { Avatar } from '../components/Avatar.tsx'
import { Badge } from '../components/Badge.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useDialog, useMay, useMayOpen } from '../use-inbox.ts'
import { usePageList } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'

type PageListProps = { actor: PageManagerActor; firstRef: RefObject<HTMLButtonElement | null> }

/** The list of social pages with its actions. */
export function PageList({ actor, firstRef }: PageListProps) {
  const list = useRef<HTMLDivElement>(null)
  const mayManage = useMay('pages.manage')
  // On return from the form, the button that opened the form no longer exists, so the focus must be set.
  useEffect(() => {
    const edited = selectPage(actor.getSnapshot())
    if (edited !== null)
      list.current?.querySelector<HTMLElement>(`[data-page="${CSS.escape(edited.page_id)}"]`)?.focus()
    else if (firstRef.current?.isConnected) firstRef.current.focus()
  }, [actor, firstRef])
  return (
    <>
      {mayManage && (
        <div className="flex shrink-0 flex-wrap items-center gap-2 px-4 pt-3">
          <Button ref={firstRef} variant="primary" onClick={() => actor.send({ type: 'item.added' })}>
            <Plus size={15} aria-hidden="true" />
            {t('pages.add')}
          </Button>
          <ConnectWithFacebook />
          <RefreshPictures actor={actor} scope="pages" />
        </div>
      )}
      <div ref={list} className="scroller mt-3 min-h-0 flex-1 border-line border-t">
        <Pages actor={actor} />
      </div>
      <footer className="flex shrink-0 items-center justify-between gap-3 border-line border-t px-4 py-3 text-ink-2 text-xs max-sm:flex-col max-sm:items-stretch">
        <p>{t('pages.picturesNote')}</p>
        {mayManage && <RefreshPictures actor={actor} scope="all" />}
      </footer>
    </>
  )
}

/** Replaces the page manager by the dialog of the login. Not offered by every API. */
function ConnectWithFacebook() {
  const mayOpenLogin = useMayOpen('facebookLogin')
  const dialog = useDialog()
  if (!mayOpenLogin) return null
  return (
    <Button
      onClick={() => {
        dialog.send({ type: 'dialog.dismissed' })
        dialog.send({ type: 'dialog.requested', dialog: { name: 'facebookLogin' }, next: { name: 'pageManager' } })
      }}
    >
      <LogIn size={15} aria-hidden="true" />
      {t('pages.loginTitle')}
    </Button>
  )
}

function RefreshPictures({ actor, scope }: { actor: PageManagerActor; scope: PictureScope }) {
  const refreshing = useSelector(actor, selectRefreshing)
  return (
    <Button disabled={refreshing !== null} onClick={() => actor.send({ type: 'pictures.requested', scope })}>
      <RefreshCw size={14} aria-hidden="true" className={refreshing === scope ? 'animate-spin' : undefined} />
      {refreshing === scope ? t('pages.refreshing') : t('pages.refreshPictures')}
    </Button>
  )
}

function Pages({ actor }: { actor: PageManagerActor }) {
  const { pages, loading, failed, reload } = usePageList()
  if (pages.length > 0) {
    return (
      <ul aria-label={t('shared.pages')}>
        {pages.map((page) => (
          <PageRow key={page.page_id} page={page} actor={actor} />
        ))}
      </ul>
    )
  }
  if (loading) {
    return (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t('pages.loading')}
      </p>
    )
  }
  if (failed) {
    return <NotLoaded text={pageToasts.failed.text} onRetry={reload} />
  }
  return (
    <div className="grid gap-1 px-4 py-8 text-center">
      <p className="font-medium">{t('pages.none')}</p>
      <p className="text-ink-2">{t('pages.noneAdvice')}</p>
    </div>
  )
}

function PageRow({ page, actor }: { page: Page; actor: PageManagerActor }) {
  const mayManage = useMay('pages.manage')
  const name = safeName(page.page_name) || page.page_id
  const username = safeName(page.page_username ?? '')
  const wasUpdated = page.updated_at != null && page.updated_at !== page.created_at
  return (
    <li className="flex items-start gap-3 border-line border-b px-4 py-3 last:border-b-0">
      <Avatar name={name} picture={page.page_profile_pic_url} />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="min-w-0 font-semibold [overflow-wrap:anywhere]">{name}</bdi>
          <Badge tone={page.is_active ? 'ok' : 'neutral'}>
            {page.is_active ? t('shared.active') : t('shared.inactive')}
          </Badge>
          {isDisconnected(page) && <Badge tone="bad">{t('pages.tokenRefused')}</Badge>}
        </p>
        <p className="text-ink-2 text-xs [overflow-wrap:anywhere]">
          {username ? `@${username}` : t('pages.noUsername')} ·{' '}
          {safeName(page.page_category ?? '') || t('pages.noCategory')}
        </p>
        <dl className="mt-1 flex flex-wrap gap-x-3 text-ink-2 text-2xs">
          <Fact label={t('pages.pageId')} value={page.page_id} />
          {page.created_at != null && <Fact label={t('pages.added')} value={dateAndTime(page.created_at)} />}
          {wasUpdated && <Fact label={t('pages.updated')} value={dateAndTime(page.updated_at ?? '')} />}
        </dl>
        {page.token_invalid_since != null && (
          <p className="mt-1.5 text-bad text-xs">
            {t('pages.tokenRefusedSince', { since: dateAndTime(page.token_invalid_since) })}
          </p>
        )}
      </div>
      {mayManage && (
        <div className="flex shrink-0 gap-1">
          <IconButton
            data-page={page.page_id}
            label={t('shared.edit', { name })}
            onClick={() => actor.send({ type: 'item.edited', item: page })}
          >
            <Pencil size={15} aria-hidden="true" />
          </IconButton>
          <IconButton
            label={t('shared.deleteNamed', { name })}
            onClick={() => actor.send({ type: 'deletion.requested', item: page })}
          >
            <Trash2 size={15} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </li>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex gap-1">
      <dt className="text-ink-3">{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
