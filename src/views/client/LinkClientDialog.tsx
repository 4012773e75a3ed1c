import { useRef } from 'react'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  selectAsksToDiscard,
  selectConversationId,
  selectError,
  selectStep,
} from '../../machines/client/link-client.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/client-on-demand.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { DiscardDialog } from '../components/DiscardDialog.tsx'
import { PersonAvatar } from '../list/PersonAvatar.tsx'
import { useRow } from '../use-list.ts'
import { useSelector } from '../use-selector.ts'
import { ClientSearch } from './ClientSearch.tsx'
import { NewClientForm } from './NewClientForm.tsx'

/** Links a chat user to a client (spec section 2, Link Client modal). The input is kept after every failure. */
export default function LinkClientDialog({ actor, title, onDismiss }: DialogProps<'linkClient'>) {
  const conversation = useRow(useSelector(actor, selectConversationId))
  const step = useSelector(actor, selectStep)
  const error = useSelector(actor, selectError)
  const search = useRef<HTMLInputElement>(null)
  const asksToDiscard = useSelector(actor, selectAsksToDiscard)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={step !== 'choosing'}
      initialFocus={search}
      className="h-150 w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {conversation !== null && <ChatUser conversation={conversation} />}
      {error !== null && (
        <p role="alert" className="mx-4 mt-3 shrink-0 rounded-ui bg-bad-soft px-3 py-2 text-bad">
          {error}
        </p>
      )}
      {step === 'editing' || step === 'creating' ? (
        <NewClientForm actor={actor} creating={step === 'creating'} />
      ) : (
        <ClientSearch actor={actor} inputRef={search} linking={step === 'linking'} onCancel={onDismiss} />
      )}
      {asksToDiscard && <DiscardDialog actor={actor} />}
    </DialogFrame>
  )
}

function ChatUser({ conversation }: { conversation: Conversation }) {
  const parts = [
    [t('client.firstNameOf'), safeName(conversation.first_name ?? '')],
    [t('client.lastNameOf'), safeName(conversation.last_name ?? '')],
  ].filter(([, part]) => part !== '')
  return (
    <div className="mx-4 mt-4 flex shrink-0 items-center gap-3 rounded-ui bg-sunken px-3 py-2.5">
      <PersonAvatar conversation={conversation} />
      <div className="min-w-0">
        <p dir="auto" className="truncate font-semibold">
          {nameOf(conversation)}
        </p>
        <dl className="flex min-w-0 gap-3 text-ink-2 text-xs">
          {parts.map(([label, part]) => (
            <div key={label} className="flex min-w-0 gap-1">
              <dt className="shrink-0 text-ink-3">{label}</dt>
              <dd dir="auto" className="truncate">
                {part}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}
