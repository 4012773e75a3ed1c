import type { Transaction } from 'kysely'
import { kindOfMessage } from '../../../src/domain/attachment-kind.ts'
import type { Tables } from '../../database/tables.ts'
import { clockTolerance, echoWindow } from '../store/clock-tolerance.ts'
import { textAsSent } from '../store/read-message.ts'
import type { MessageEvent, ReadWebhook } from './webhook-events.ts'

type Trx = Transaction<Tables>
type Echo = { event: MessageEvent; pageId: string; platform: ReadWebhook['platform'] }

/**
 * The keys of the sends that echoes confirm, by message id; an echo without proof has none. Messenger returns our key as
 * metadata. Instagram does not: there the echo must name our app, and exactly one open send must have its text or a file
 * of its kind.
 */
export async function keysOfEchoes(
  trx: Trx,
  echoes: readonly Echo[],
  ownAppId: string | undefined,
): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  const named = echoes.flatMap(({ event }) => event.metadata ?? [])
  const sends =
    named.length === 0
      ? []
      : await trx
          .selectFrom('sends')
          .select(['idempotency_key', 'page_id', 'psid'])
          .where('idempotency_key', 'in', named)
          .execute()
  for (const { event, pageId, platform } of echoes) {
    const { metadata, messageId, personId } = event
    if (metadata !== null) {
      const isOurs = sends.some(
        (send) => send.idempotency_key === metadata && send.page_id === pageId && send.psid === personId,
      )
      if (isOurs) keys.set(messageId, metadata)
    } else if (platform === 'instagram' && event.appId !== null && event.appId === ownAppId) {
      const key = await keyOfSameContent(trx, event, pageId)
      if (key !== null) keys.set(messageId, key)
    }
  }
  return keys
}

/** The key of the only open send with the content of an echo. */
async function keyOfSameContent(trx: Trx, event: MessageEvent, pageId: string): Promise<string | null> {
  const text = textAsSent(event)
  const fileKind =
    text === null ? kindOfMessage({ message_text: null, attachments: event.attachments, content: null }) : null
  if (text === null && fileKind === null) return null
  // A message that is stored already belongs to another send, or came by a sync.
  const known = await trx
    .selectFrom('messages')
    .select('message_id')
    .where('message_id', '=', event.messageId)
    .executeTakeFirst()
  if (known) return null
  const alike = await trx
    .selectFrom('sends')
    .select('idempotency_key')
    .where('page_id', '=', pageId)
    .where('psid', '=', event.personId)
    .where('state', 'in', ['sending', 'unknown', 'discarded'])
    .where((is) => (fileKind === null ? is('message_text', '=', text) : is('file_kind', '=', fileKind)))
    .where('created_at', '>=', new Date(event.at.getTime() - echoWindow))
    .where('created_at', '<=', new Date(event.at.getTime() + clockTolerance))
    .limit(2)
    .execute()
  const [only] = alike
  return alike.length === 1 && only !== undefined ? only.idempotency_key : null
}
