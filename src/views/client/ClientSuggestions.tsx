import { X } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import type { ActorRefFrom } from 'xstate'
import { clientNameOf, isLinked, prefilledFrom } from '../../domain/client/client-linking.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import {
  type clientSuggestionsMachine,
  selectDismissing,
  selectSuggestions,
} from '../../machines/client/client-suggestions.ts'
import type { ClientSuggestion } from '../../schemas/client-suggestion.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { useDialog, useMayOpen } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'
import { reasonText } from './suggestion-texts.ts'

/** The clients that an unlinked conversation may belong to. Nothing without the feature 'client-suggestions'. */
export default function ClientSuggestions({ conversation }: { conversation: Conversation }) {
  const part = usePart('clientSuggestions')
  const mayLink = useMayOpen('linkClient')
  return part === undefined || !mayLink ? null : <Suggestions actor={part} conversation={conversation} />
}

type Props = { actor: ActorRefFrom<typeof clientSuggestionsMachine>; conversation: Conversation }

function Suggestions({ actor, conversation }: Props) {
  const conversationId = rowIdOf(conversation)
  const lastMessageAt = conversation.last_message_at ?? null
  useEffect(() => {
    actor.send({ type: 'subject.changed', subject: { conversationId, lastMessageAt } })
  }, [actor, conversationId, lastMessageAt])
  useEffect(() => () => actor.send({ type: 'subject.changed', subject: null }), [actor])
  const suggestions = useSelector(
    actor,
    useMemo(() => selectSuggestions(conversationId), [conversationId]),
  )
  if (suggestions.length === 0) return null
  return (
    <section aria-label={t('client.suggestions')} className="mt-2 grid w-full grid-cols-[minmax(0,1fr)] gap-2">
      <h4 className="font-semibold text-ink-2 text-xs">{t('client.suggestions')}</h4>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {suggestions.map((suggestion) => (
          <Suggestion
            key={suggestion.client.id}
            actor={actor}
            conversation={conversation}
            suggestion={suggestion}
            unlinked={suggestions.filter(({ client }) => !isLinked(client))}
          />
        ))}
      </ul>
    </section>
  )
}

function Suggestion({
  actor,
  conversation,
  suggestion: { client, reasons },
  unlinked,
}: Props & { suggestion: ClientSuggestion; unlinked: readonly ClientSuggestion[] }) {
  const dialog = useDialog()
  const mayJoin = useMayOpen('chats')
  const isDismissing = useSelector(actor, selectDismissing) === client.id
  const conversationId = rowIdOf(conversation)
  const name = clientNameOf(client) || t('client.unnamedClient')
  const link = () => {
    const suggested = { suggestions: unlinked, selected: client.id }
    const input = { conversationId, prefilled: prefilledFrom(conversation), suggested }
    dialog.send({ type: 'dialog.requested', dialog: { name: 'linkClient', input } })
  }
  const join = () =>
    dialog.send({ type: 'dialog.requested', dialog: { name: 'chats', input: { conversationId, term: name } } })
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 gap-y-1.5 rounded-ui border border-line px-3 py-2">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p dir="auto" className="font-medium">
          {name}
        </p>
        <ul className="text-ink-2 text-xs">
          {reasons.map((reason) => (
            <li key={`${reason.kind} ${reason.value}`}>{reasonText(reason)}</li>
          ))}
        </ul>
      </div>
      <IconButton
        label={t('client.dismissSuggestion', { name })}
        className="h-6 w-6"
        disabled={isDismissing}
        onClick={() => actor.send({ type: 'suggestion.dismissed', clientId: client.id })}
      >
        <X size={14} aria-hidden="true" />
      </IconButton>
      {isLinked(client) ? (
        mayJoin && (
          <Button className="justify-self-start" aria-label={t('client.joinSuggested', { name })} onClick={join}>
            {t('client.joinChats')}
          </Button>
        )
      ) : (
        <Button className="justify-self-start" aria-label={t('client.linkSuggested', { name })} onClick={link}>
          {t('client.linkSuggestion')}
        </Button>
      )}
    </li>
  )
}
