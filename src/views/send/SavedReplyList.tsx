import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { dateOf } from '../../domain/moments.ts'
import { safeName } from '../../domain/shown-text.ts'
import { type SavedReplyManagerActor, savedReplyManager } from '../../machines/send/saved-reply-manager.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useMay } from '../use-inbox.ts'
import { usePages } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'
import { ReplyPictures, useSendsPictures } from './ReplyPictures.tsx'

type SavedReplyListProps = { actor: SavedReplyManagerActor; firstRef: RefObject<HTMLButtonElement | null> }

/** The saved replies with their uses and actions. */
export function SavedReplyList({ actor, firstRef }: SavedReplyListProps) {
  const mayManage = useMay('faq.manage')
  const replies = useSelector(actor, savedReplyManager.selectItems)
  const list = useRef<HTMLDivElement>(null)
  // On return from the form, the button that opened the form no longer exists, so the focus must be set.
  useEffect(() => {
    const edited = savedReplyManager.selectItem(actor.getSnapshot())
    if (edited !== null) list.current?.querySelector<HTMLElement>(`[data-reply="${CSS.escape(edited.id)}"]`)?.focus()
    else if (firstRef.current?.isConnected) firstRef.current.focus()
  }, [actor, firstRef])
  return (
    <>
      {mayManage && (
        <div className="flex shrink-0 border-line border-b px-4 py-3">
          {/* The form compares the name with those of the list. */}
          <Button
            ref={firstRef}
            variant="primary"
            aria-disabled={replies === null}
            onClick={() => replies !== null && actor.send({ type: 'item.added' })}
          >
            <Plus size={15} aria-hidden="true" />
            {t('send.repliesAdd')}
          </Button>
        </div>
      )}
      <div ref={list} className="scroller min-h-0 flex-1">
        <Replies actor={actor} />
      </div>
    </>
  )
}

function Replies({ actor }: { actor: SavedReplyManagerActor }) {
  const replies = useSelector(actor, savedReplyManager.selectItems)
  const failed = useSelector(actor, savedReplyManager.selectHaveFailed)
  if (replies === null)
    return failed ? (
      <NotLoaded text={t('send.repliesNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
    ) : (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t('send.repliesLoading')}
      </p>
    )
  if (replies.length === 0) return <p className="px-4 py-8 text-center text-ink-2">{t('send.repliesNone')}</p>
  return (
    <ul aria-label={t('send.replies')}>
      {replies.map((reply) => (
        <Reply key={reply.id} reply={reply} actor={actor} />
      ))}
    </ul>
  )
}

function Reply({ reply, actor }: { reply: SavedReply; actor: SavedReplyManagerActor }) {
  const mayManage = useMay('faq.manage')
  const { pages } = usePages()
  const name = safeName(reply.name)
  const pageName = (id: string) => safeName(pages?.find((page) => page.page_id === id)?.page_name ?? '') || id
  return (
    <li className="grid gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold [overflow-wrap:anywhere]">
            /<bdi>{name}</bdi>
          </h3>
          <p className="mt-1 flex flex-wrap gap-1.5">
            <Badge>{t('send.replyUses', { count: reply.uses })}</Badge>
            {reply.page_ids === null ? (
              <Badge>{t('send.replyAllPages')}</Badge>
            ) : (
              reply.page_ids.map((id) => <Badge key={id}>{pageName(id)}</Badge>)
            )}
          </p>
        </div>
        {mayManage && (
          <>
            <IconButton
              data-reply={reply.id}
              label={t('shared.edit', { name })}
              onClick={() => actor.send({ type: 'item.edited', item: reply })}
            >
              <Pencil size={15} aria-hidden="true" />
            </IconButton>
            <IconButton
              label={t('shared.deleteNamed', { name })}
              onClick={() => actor.send({ type: 'deletion.requested', item: reply })}
            >
              <Trash2 size={15} aria-hidden="true" />
            </IconButton>
          </>
        )}
      </div>
      {reply.text !== '' && (
        <p dir="auto" className="whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">
          {reply.text}
        </p>
      )}
      <ReplyPictures reply={reply} areSent={useSendsPictures()} />
      <p className="text-2xs text-ink-3">
        {t('send.replyEdited', {
          name: safeName(reply.updated_by_name ?? '') || t('shared.unknown'),
          date: dateOf(reply.updated_at),
        })}
      </p>
    </li>
  )
}
