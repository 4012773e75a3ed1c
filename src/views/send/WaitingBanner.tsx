import { useEffect, useState } from 'react'
import type { Unsent } from '../../machines/send/unsent.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { focusAround } from '../components/focus-around.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useDialog } from '../use-inbox.ts'
import { useRecipientName } from './use-recipient-name.ts'
import { useTellOwners, useWaiting } from './use-unsent.ts'

/** The number of messages that the banner names. More are listed in the dialog, where their ages are shown as well. */
const namedLimit = 3

/**
 * Offers to send the messages and answers to comments that were not sent because of the connection or a closed tab, with
 * the age of each. The connection alone sends nothing: an answer that is hours old may no longer be right.
 */
export default function WaitingBanner() {
  const waiting = useWaiting()
  return waiting.length === 0 ? null : <Offer waiting={waiting} />
}

function Offer({ waiting }: { waiting: readonly Unsent[] }) {
  const tell = useTellOwners()
  const dialog = useDialog()
  // A screen reader announces only changes, so the text follows after the element.
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  const more = waiting.length - namedLimit
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-warn-soft px-4 py-1.5 text-warn text-xs">
      <p role="status" className="flex min-w-0 flex-1 flex-wrap gap-x-2 max-sm:basis-full">
        {isMounted && (
          <>
            <b className="font-semibold">{t('send.waiting')}</b>
            {waiting.slice(0, namedLimit).map((send) => (
              <Waiting key={send.key} send={send} />
            ))}
            {more > 0 && <span>{t('send.waitingMore', { count: more })}</span>}
          </>
        )}
      </p>
      <Button
        onClick={() =>
          dialog.send({ type: 'dialog.requested', dialog: { name: 'unsent', input: { asksAbout: null } } })
        }
      >
        {t('send.waitingShow')}
      </Button>
      {more <= 0 && (
        <Button
          onClick={(event) => {
            focusAround(event)
            tell({ type: 'waiting.retried' })
          }}
        >
          {t('send.unsentSendAll', { count: waiting.length })}
        </Button>
      )}
    </div>
  )
}

function Waiting({ send }: { send: Unsent }) {
  const name = useRecipientName(send)
  return (
    <span className="flex min-w-0 gap-x-1">
      <bdi className="truncate">{name}</bdi>
      <RelativeTime moment={send.createdAt} className="shrink-0" />
    </span>
  )
}
