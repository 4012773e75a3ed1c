import { SendHorizontal } from 'lucide-react'
import { type RefObject, useId, useRef } from 'react'
import { mayHaveArrived, sendingPageOf } from '../../domain/send/outgoing.ts'
import { answerStateWithReason, sendStateWithReason } from '../../domain/send/send-state-text.ts'
import { selectAsksAlone, selectDiscarded, type Unsent } from '../../machines/send/unsent.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { focusAround } from '../components/focus-around.ts'
import { messageBox } from '../components/message-box.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useOpenConversation } from '../open-conversation.tsx'
import { useDialog } from '../use-inbox.ts'
import { usePageName } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'
import { FileLine } from './FileLine.tsx'
import { useRecipientName } from './use-recipient-name.ts'
import { useTellOwners, useUnsent, useWaiting } from './use-unsent.ts'

/** The list of what was not sent, or the question about one message of the open thread. */
export default function UnsentDialog(props: DialogProps<'unsent'>) {
  const { actor } = props
  const asksAlone = useSelector(actor, selectAsksAlone)
  const discarded = useSelector(actor, selectDiscarded)
  const composer = useRef(messageBox())
  if (!asksAlone) return <UnsentList {...props} />
  return discarded !== null && <DiscardQuestion send={discarded} actor={actor} focusAfter={composer} />
}

/** The messages and answers to comments that were not sent, failed or are unconfirmed, with what can be done about each. */
function UnsentList({ actor, title, onDismiss }: DialogProps<'unsent'>) {
  const tell = useTellOwners()
  const unsent = useUnsent()
  const { length: waiting } = useWaiting()
  const discarded = useSelector(actor, selectDiscarded)
  const openPlaceOf = useOpenPlace()
  const sendAll = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      initialFocus={waiting > 0 ? sendAll : list}
      className="w-150 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section ref={list} aria-label={title} tabIndex={0} className="scroller min-h-0 flex-1 p-4">
        {unsent.length === 0 ? (
          <p role="status">{t('send.unsentNone')}</p>
        ) : (
          <ul className="grid gap-2">
            {unsent.map((send) => (
              <UnsentMessage
                key={send.key}
                send={send}
                onOpen={() => {
                  onDismiss()
                  openPlaceOf(send)
                }}
                onDiscard={() => actor.send({ type: 'discard.requested', send })}
              />
            ))}
          </ul>
        )}
      </section>
      {waiting > 0 && (
        <footer className="flex shrink-0 justify-end border-line border-t px-4 py-3">
          <Button
            ref={sendAll}
            variant="primary"
            onClick={() => {
              list.current?.focus()
              tell({ type: 'waiting.retried' })
            }}
          >
            <SendHorizontal size={15} aria-hidden="true" />
            {t('send.unsentSendAll', { count: waiting })}
          </Button>
        </footer>
      )}
      {discarded !== null && <DiscardQuestion send={discarded} actor={actor} focusAfter={list} />}
    </DialogFrame>
  )
}

/** Opens the conversation of a message, or the thread of a comment. */
function useOpenPlace(): (send: Unsent) => void {
  const open = useOpenConversation()
  const dialog = useDialog()
  return (send) => {
    if ('recipient' in send) return open(send.recipient.conversationId)
    const input = { threadId: send.comment.threadId }
    dialog.send({ type: 'dialog.requested', dialog: { name: 'comments', input } })
  }
}

const kindTexts = { public: 'send.publicAnswer', private: 'send.privateReply' } as const

/** The name of the page that a message goes out by; null for Auto-select among several. */
function useSendingPage(send: Unsent): string | null {
  const ofComment = usePageName('comment' in send ? send.comment.pageId : null, null)
  return 'recipient' in send ? (sendingPageOf(send)?.name ?? null) : ofComment
}

type UnsentMessageProps = { send: Unsent; onOpen: () => void; onDiscard: () => void }

function UnsentMessage({ send, onOpen, onDiscard }: UnsentMessageProps) {
  const tell = useTellOwners()
  const name = useRecipientName(send)
  const page = useSendingPage(send)
  const file = 'file' in send ? send.file : null
  const id = useId()
  const state = `${id}-state`
  return (
    <li aria-labelledby={`${id}-name`} className="grid gap-1 rounded-ui border border-line px-3 py-2">
      <p className="flex min-w-0 items-baseline gap-x-2">
        <button
          type="button"
          id={`${id}-name`}
          title={t('comment' in send ? 'send.unsentOpenComment' : 'send.unsentOpen', { name })}
          className="min-w-0 truncate font-semibold text-accent underline touch:min-h-11"
          onClick={onOpen}
        >
          <bdi>{name}</bdi>
        </button>
        {page !== null && <span className="min-w-0 truncate text-ink-2 text-xs">{page}</span>}
        {'comment' in send && (
          <span className="shrink-0">
            <Badge tone="neutral">{t(kindTexts[send.kind])}</Badge>
          </span>
        )}
        <RelativeTime moment={send.createdAt} className="ml-auto shrink-0 text-2xs text-ink-3" />
      </p>
      {file === null ? (
        <p dir="auto" className="line-clamp-2 whitespace-pre-line [overflow-wrap:anywhere]">
          {send.text}
        </p>
      ) : (
        <FileLine file={file} />
      )}
      <p id={state} className={classNames('text-xs', send.status === 'failed' ? 'text-bad' : 'text-warn')}>
        {'comment' in send ? answerStateWithReason(send) : sendStateWithReason(send)}
      </p>
      <p className="flex flex-wrap justify-end gap-2">
        {send.status === 'notFound' && (
          <Button aria-describedby={`${id}-name`} onClick={() => tell({ type: 'check.requested', key: send.key })}>
            {t('shared.lookAgain')}
          </Button>
        )}
        <Button
          aria-describedby={`${id}-name ${state}`}
          onClick={(event) => {
            focusAround(event)
            tell({ type: 'send.retried', key: send.key })
          }}
        >
          {t('shared.retry')}
        </Button>
        <Button variant="danger" aria-describedby={`${id}-name`} onClick={onDiscard}>
          {t('shared.discard')}
        </Button>
      </p>
    </li>
  )
}

type DiscardQuestionProps = {
  send: Unsent
  actor: DialogProps<'unsent'>['actor']
  focusAfter: RefObject<HTMLElement | null>
}

function DiscardQuestion({ send, actor, focusAfter }: DiscardQuestionProps) {
  const name = useRecipientName(send)
  // The message may change while the question is open. Once it is sent, or on its way, it can no longer be discarded.
  const current = useUnsent().find(({ key }) => key === send.key)
  const text =
    current === undefined
      ? 'send.discardTooLate'
      : mayHaveArrived(current)
        ? 'send.discardUnconfirmed'
        : 'send.discardUnsent'
  return (
    <ConfirmDialog
      title={t('send.discardTitle')}
      question={t(text, { name })}
      isWaiting={current === undefined}
      confirm={t('shared.discard')}
      focusAfter={focusAfter}
      onConfirm={() => actor.send({ type: 'discard.confirmed' })}
      onCancel={() => actor.send({ type: 'discard.refused' })}
    />
  )
}
