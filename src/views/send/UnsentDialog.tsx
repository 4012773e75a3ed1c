import { SendHorizontal } from 'lucide-react'
import { type RefObject, useId, useRef } from 'react'
import { mayHaveArrived, type Outgoing, sendingPageOf } from '../../domain/send/outgoing.ts'
import { sendStateWithReason } from '../../domain/send/send-state-text.ts'
import { selectDiscarded, selectUnsent, selectWaiting } from '../../machines/send/unsent.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { focusAround } from '../components/focus-around.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useOpenConversation } from '../open-conversation.tsx'
import { useOutbox } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { FileLine } from './FileLine.tsx'
import { useRecipientName } from './use-recipient-name.ts'

/** The messages that were not sent, failed or are unconfirmed, with what can be done about each. */
export default function UnsentDialog({ actor, title, onDismiss }: DialogProps<'unsent'>) {
  const outbox = useOutbox()
  const unsent = useSelector(outbox, selectUnsent)
  const { length: waiting } = useSelector(outbox, selectWaiting)
  const discarded = useSelector(actor, selectDiscarded)
  const open = useOpenConversation()
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
                  open(send.recipient.conversationId)
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
              outbox.send({ type: 'waiting.retried' })
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

type UnsentMessageProps = { send: Outgoing; onOpen: () => void; onDiscard: () => void }

function UnsentMessage({ send, onOpen, onDiscard }: UnsentMessageProps) {
  const outbox = useOutbox()
  const name = useRecipientName(send.recipient)
  const page = sendingPageOf(send)
  const id = useId()
  const state = `${id}-state`
  return (
    <li aria-labelledby={`${id}-name`} className="grid gap-1 rounded-ui border border-line px-3 py-2">
      <p className="flex min-w-0 items-baseline gap-x-2">
        <button
          type="button"
          id={`${id}-name`}
          title={t('send.unsentOpen', { name })}
          className="min-w-0 truncate font-semibold text-accent underline touch:min-h-11"
          onClick={onOpen}
        >
          <bdi>{name}</bdi>
        </button>
        {page !== undefined && <span className="min-w-0 truncate text-ink-2 text-xs">{page.name}</span>}
        <RelativeTime moment={send.createdAt} className="ml-auto shrink-0 text-2xs text-ink-3" />
      </p>
      {send.file === null ? (
        <p dir="auto" className="line-clamp-2 whitespace-pre-line [overflow-wrap:anywhere]">
          {send.text}
        </p>
      ) : (
        <FileLine file={send.file} />
      )}
      <p id={state} className={classNames('text-xs', send.status === 'failed' ? 'text-bad' : 'text-warn')}>
        {sendStateWithReason(send)}
      </p>
      <p className="flex flex-wrap justify-end gap-2">
        {send.status === 'notFound' && (
          <Button
            aria-describedby={`${id}-name`}
            onClick={() => outbox.send({ type: 'check.requested', key: send.key })}
          >
            {t('shared.lookAgain')}
          </Button>
        )}
        <Button
          aria-describedby={`${id}-name ${state}`}
          onClick={(event) => {
            focusAround(event)
            outbox.send({ type: 'send.retried', key: send.key })
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
  send: Outgoing
  actor: DialogProps<'unsent'>['actor']
  focusAfter: RefObject<HTMLElement | null>
}

function DiscardQuestion({ send, actor, focusAfter }: DiscardQuestionProps) {
  const name = useRecipientName(send.recipient)
  return (
    <ConfirmDialog
      title={t('send.discardTitle')}
      question={t(mayHaveArrived(send) ? 'send.discardUnconfirmed' : 'send.discardUnsent', { name })}
      confirm={t('shared.discard')}
      focusAfter={focusAfter}
      onConfirm={() => actor.send({ type: 'discard.confirmed' })}
      onCancel={() => actor.send({ type: 'discard.refused' })}
    />
  )
}
