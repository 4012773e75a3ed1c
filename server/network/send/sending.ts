import { kindOfMessage } from '../../../src/domain/attachment-kind.ts'
import { isAutomaticKey } from '../../../src/domain/faq/automatic.ts'
import { textOfHeart } from '../../../src/domain/send/like-heart.ts'
import { textOfCard } from '../../../src/domain/send/product-card.ts'
import { fitsStructure } from '../../../src/domain/send/reply-structure.ts'
import { type ReplyWindow, replyWindow } from '../../../src/domain/send/reply-window.ts'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { OutgoingFile } from '../../../src/schemas/outgoing-file.ts'
import type { StructuredContent } from '../../../src/schemas/structured-message.ts'
import { cleanText } from '../../clean-text.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { OutgoingFiles } from '../../files/outgoing-files.ts'
import type { Logger } from '../../logger.ts'
import type { ErasedPeople } from '../../people/erased-people.ts'
import type { Graph } from '../graph/graph.ts'
import type { SentContent } from '../graph/graph-message.ts'
import { graphMessage } from '../graph/graph-shapes.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import type { PageCalls } from '../graph/page-calls.ts'
import { clockTolerance } from '../store/clock-tolerance.ts'
import { readGraphMessage, textAsSent } from '../store/read-message.ts'
import { type IdentifiedMessage, storeMessages } from '../store/store.ts'
import type { MessageTemplates } from './message-templates.ts'
import {
  alreadyDecided,
  buttonTextTooLong,
  cardTextWrong,
  checkFile,
  checkLength,
  failureOf,
  fileGone,
  filesNotOffered,
  heartTextWrong,
  listedAlike,
  notListed,
  originalGone,
  pageInactive,
  refusalOf,
  stickersNotOffered,
  stillSending,
  templateChanged,
  templatesNotOffered,
  uncertainResult,
  unconfirmed,
  unknownRecipient,
} from './send-refusals.ts'
import { createSharedRuns } from './shared-runs.ts'
import {
  type Claim,
  createStoredSends,
  hasTimedOut,
  type SendOrder,
  type SentMessage,
  sendTimeout,
} from './stored-sends.ts'
import { attachmentsOfStructure, contentOfStructure } from './structured-parts.ts'

export type Sending = ReturnType<typeof createSending>

const pollInterval = 250

/**
 * What to do with an unconfirmed message, whose earlier request may have delivered it:
 *   'resend': send it again, because staff retried.
 *   'never': leave it unconfirmed.
 *   { tries }: send it again only if `sends.tries` still has this value, so that two such calls send once.
 * Before a message is sent again, messages with its text that the network lists are stored (`storeListed`).
 */
type WhenUnconfirmed = 'resend' | 'never' | { tries: number }

/**
 * Sends messages under idempotency keys (spec section 7, POST /facebook/send-message). The same key with the same message
 * returns the same result. A request with an unknown result is repeated only because a person retries; the message can
 * then arrive twice. Only the network's response or an echo that is certainly ours (`echo-keys.ts`) confirms a send.
 */
export function createSending({
  db,
  graph,
  calls,
  erasedPeople,
  files,
  templates,
  normalizeUrl,
  clock,
  logger,
}: {
  db: Db
  graph: Graph
  calls: Pick<PageCalls, 'recordAcceptance' | 'recordRefusal' | 'tokenOf'>
  erasedPeople: ErasedPeople
  files: OutgoingFiles
  templates: Pick<MessageTemplates, 'matches'>
  normalizeUrl: NormalizeUrl
  clock: Clock
  logger: Logger
}) {
  const sends = createStoredSends({ db, erasedPeople, files, clock, logger })
  const once = createSharedRuns<SentMessage>()

  async function run(order: SendOrder, whenUnconfirmed: WhenUnconfirmed): Promise<SentMessage> {
    if (whenUnconfirmed === 'never') await sends.markTimedOut(order)
    const earlier = await sends.find(order)
    if (earlier?.result) return earlier.result
    if (whenUnconfirmed === 'never' && earlier?.state === 'unknown') throw unconfirmed()
    const mayBeDelivered = earlier !== null && earlier.state !== 'failed'
    const route = await findSendRoute(order).catch((error: unknown) => {
      // With `tries` staff already know that the message is unconfirmed, so the actual error is shown.
      throw mayBeDelivered && typeof whenUnconfirmed !== 'object' ? uncertainResult(error) : error
    })
    const claim = earlier ? null : await sends.claimNew(order, route.file?.kind ?? null)
    return claim ? deliver(order, route, claim) : resume(order, route, whenUnconfirmed)
  }

  /** Joins a running request with the same message and `whenUnconfirmed`. */
  function start(requested: SendOrder, whenUnconfirmed: WhenUnconfirmed): Promise<SentMessage> {
    const order = { ...requested, text: cleanText(requested.text) }
    const { staffId, ...message } = order
    return once(JSON.stringify([message, whenUnconfirmed]), () => run(order, whenUnconfirmed))
  }

  async function findSendRoute(order: SendOrder): Promise<SendRoute> {
    const row = await db
      .selectFrom('fb_users')
      .innerJoin('pages', 'pages.page_id', 'fb_users.page_id')
      .select((select) => [
        'fb_users.id as fbUserId',
        'fb_users.platform',
        'pages.is_active',
        'pages.page_access_token_encrypted',
        'pages.token_invalid_since',
        select
          .selectFrom('messages')
          .select((newest) => newest.fn.max('timestamp_fb').as('at'))
          .whereRef('messages.fb_user_id', '=', 'fb_users.id')
          .where('direction', '=', 'incoming')
          .as('last_incoming_at'),
      ])
      .where('fb_users.page_id', '=', order.pageId)
      .where('fb_users.psid', '=', order.psid)
      .executeTakeFirst()
    if (!row) throw unknownRecipient()
    if (!row.is_active) throw pageInactive()
    if (order.replyTo !== undefined) await checkOriginal(order.replyTo, row.fbUserId)
    const file = order.fileId === undefined ? null : await findFile(order.staffId, order.fileId)
    if (file === null) checkLength(row.platform, order.text)
    else checkFile(row.platform, file)
    if (order.structured !== undefined) await checkStructure(row.platform, order, order.structured)
    return {
      fbUserId: row.fbUserId,
      platform: row.platform,
      token: await calls.tokenOf(order.pageId, row.page_access_token_encrypted).catch((error: unknown) => {
        throw refusalOf(error)
      }),
      storedToken: row.page_access_token_encrypted,
      isMarked: row.token_invalid_since !== null,
      file,
      replyWindow: replyWindow(row.last_incoming_at?.toISOString(), clock.now())?.state ?? 'standard',
    }
  }

  /** A reply is to a message of the same chat. */
  async function checkOriginal(messageId: string, fbUserId: string): Promise<void> {
    const original = await db
      .selectFrom('messages')
      .select('message_id')
      .where('message_id', '=', messageId)
      .where('fb_user_id', '=', fbUserId)
      .executeTakeFirst()
    if (original === undefined) throw originalGone()
  }

  /** Throws SendRefused if the network will not show the text, and GraphError if that cannot be found out. */
  async function checkStructure(platform: Platform, order: SendOrder, structured: StructuredContent): Promise<void> {
    if (!fitsStructure(order.text, structured)) throw buttonTextTooLong()
    if (structured.kind === 'card' && order.text !== textOfCard(structured)) throw cardTextWrong()
    if (structured.kind === 'sticker') {
      if (order.text !== textOfHeart) throw heartTextWrong()
      if (platform !== 'instagram') throw stickersNotOffered()
    }
    if (structured.kind !== 'template') return
    if (platform !== 'messenger') throw templatesNotOffered()
    const isCurrent = await templates.matches(order.pageId, structured, order.text).catch((error: unknown) => {
      throw refusalOf(error)
    })
    if (!isCurrent) throw templateChanged()
  }

  async function findFile(staffId: string, fileId: string): Promise<OutgoingFile> {
    if (!files.isOffered) throw filesNotOffered()
    const file = await files.findFor(staffId, fileId)
    if (file === null) throw fileGone()
    return file
  }

  /** Handles a key that is already stored: returns its result, waits for another process, or takes the send over. */
  async function resume(order: SendOrder, route: SendRoute, whenUnconfirmed: WhenUnconfirmed): Promise<SentMessage> {
    const deadline = clock.now() + sendTimeout + pollInterval
    for (;;) {
      const send = await sends.find(order)
      if (send === null) throw new Error('a stored send is missing')
      if (send.result) return send.result
      const isOutdated = typeof whenUnconfirmed === 'object' && whenUnconfirmed.tries !== send.tries
      if (send.state === 'discarded' || isOutdated) throw alreadyDecided()

      if (send.state !== 'sending' || hasTimedOut(send, clock)) {
        if (send.state !== 'failed' && whenUnconfirmed === 'never') {
          await sends.markTimedOut(order)
          throw unconfirmed()
        }
        const claim = await sends.takeOver(order, { state: send.state, updatedAt: send.updated_at })
        if (claim) {
          return send.state === 'failed'
            ? deliver(order, route, claim)
            : sendAgain(order, route, { createdAt: send.created_at, claim })
        }
      }
      if (clock.now() >= deadline) throw stillSending()
      await new Promise<void>((resolve) => clock.after(pollInterval, resolve))
    }
  }

  /**
   * Sends an unconfirmed message again. If the network lists a message with this text that staff have not seen, stores
   * that message and sends nothing: staff see both and decide again.
   */
  async function sendAgain(
    order: SendOrder,
    route: SendRoute,
    { createdAt, claim }: { createdAt: Date; claim: Claim },
  ): Promise<SentMessage> {
    const leaveUnconfirmed = (error: unknown, refusal: unknown) =>
      sends.recordFailure(order, claim, { state: 'unknown', error, refusal })
    let isListed: boolean
    try {
      isListed = await storeListed(order, route, createdAt)
    } catch (error) {
      return leaveUnconfirmed(error, uncertainResult(error))
    }
    if (isListed) return leaveUnconfirmed(null, listedAlike())
    // Another process may have claimed the send while the list was read. Then that process sends.
    const renewed = await sends.takeOver(order, claim, { isNewTry: true })
    if (!renewed) throw stillSending()
    return deliver(order, route, renewed, { mayBeDelivered: true })
  }

  /**
   * Stores the messages with this text, or with one file of this kind, that the network lists since `createdAt`; false
   * if there is none that is new. Such a message proves nothing: the list carries neither our key nor the app that
   * wrote a message.
   */
  async function storeListed(order: SendOrder, route: SendRoute, createdAt: Date): Promise<boolean> {
    const request = { pageId: order.pageId, platform: route.platform, psid: order.psid, limit: 1 }
    const { conversations } = await graph.conversations(route.token, request).catch(async (error: unknown) => {
      await calls.recordRefusal(order.pageId, route.storedToken, error)
      throw error
    })
    const noStructure = { content: null, attachments: null }
    const structureShown =
      order.structured === undefined
        ? noStructure
        : {
            content: contentOfStructure(order.structured, order.text),
            attachments: attachmentsOfStructure(order.structured),
          }
    const listed = conversations
      .flatMap(({ messages }) => messages?.data ?? [])
      .flatMap((value): IdentifiedMessage[] => {
        const read = graphMessage.safeParse(value)
        if (!read.success || read.data.from?.id === order.psid) return []
        const message = readGraphMessage(read.data, normalizeUrl)
        const { written, attachments, content } = message
        const isAlike =
          route.file === null
            ? textAsSent(message) === order.text
            : textAsSent(message) === null &&
              kindOfMessage({ message_text: null, attachments, content: null }) === route.file.kind
        if (!isAlike) return []
        const writtenAt = Date.parse(read.data.created_time)
        if (writtenAt < createdAt.getTime() - clockTolerance) return []
        // The network's whole seconds could sort the reply before the message that it answers.
        const at = new Date(Math.max(writtenAt, createdAt.getTime()))
        const { id: messageId } = read.data
        const { fbUserId } = route
        const shown =
          route.file === null
            ? { text: order.text, ...(written === null ? structureShown : noStructure) }
            : { text: null, attachments, content }
        return [{ messageId, fbUserId, direction: 'outgoing', ...shown, at, isRead: true }]
      })
    return (await storeMessages(db, listed)) > 0
  }

  async function look(requested: SendOrder): Promise<SentMessage> {
    const order = { ...requested, text: cleanText(requested.text) }
    await sends.markTimedOut(order)
    const send = await sends.find(order)
    if (send?.result) return send.result
    if (send === null) throw unconfirmed()
    let isListed: boolean
    try {
      isListed = await storeListed(order, await findSendRoute(order), send.created_at)
    } catch (error) {
      throw uncertainResult(error)
    }
    throw isListed ? listedAlike() : notListed()
  }

  function contentOf(order: SendOrder, { file }: SendRoute): SentContent {
    if (file !== null) return { file: { kind: file.kind, url: files.networkAddressOf(file.id) } }
    const { text, structured } = order
    return structured === undefined ? { text } : { text, structured }
  }

  /** `mayBeDelivered`: an earlier request had an unknown result. */
  async function deliver(
    order: SendOrder,
    route: SendRoute,
    claim: Claim,
    { mayBeDelivered = false } = {},
  ): Promise<SentMessage> {
    let messageId: string
    try {
      messageId = await graph.send(route.token, {
        pageId: order.pageId,
        psid: order.psid,
        content: contentOf(order, route),
        humanAgent: route.replyWindow !== 'standard' && !isAutomaticKey(order.key),
        ...(route.platform === 'messenger' ? { metadata: order.key } : {}),
        ...(order.replyTo === undefined ? {} : { replyTo: order.replyTo }),
      })
    } catch (error) {
      await calls.recordRefusal(order.pageId, route.storedToken, error)
      return sends.recordFailure(order, claim, { ...failureOf(error, { mayBeDelivered }), error })
    }
    const sent = await sends.commit(order, route.fbUserId, {
      messageId,
      createdAt: new Date(clock.now()).toISOString(),
    })
    // The message was sent, whatever happens to the mark. Otherwise a later call removes the mark.
    if (route.isMarked) await calls.recordAcceptance(order.pageId, route.storedToken).catch(() => undefined)
    return sent
  }

  return {
    /** Sends a message that staff wrote, or retries it. Throws SendRefused. */
    send: (order: SendOrder): Promise<SentMessage> => start(order, 'resend'),

    /**
     * Sends an automatic message at most once. It is sent again only if every earlier request was definitely refused.
     * Throws SendRefused; with status 503 or 504 the message may have arrived or is still being sent.
     */
    sendOnce: (order: SendOrder): Promise<SentMessage> => start(order, 'never'),

    /**
     * Stores the messages with this text that the network lists, so that staff see them. Sends nothing. Throws
     * SendRefused unless the message is confirmed.
     */
    look,

    /**
     * Sends an unconfirmed message again; `tries` is the number of requests that staff saw. Throws SendRefused, with
     * code DECIDED_MEANWHILE if the message was sent again or discarded since.
     */
    retry: (order: SendOrder, tries: number): Promise<SentMessage> => start(order, { tries }),
  }
}

/** The identity that a message goes out by, with the page's token. */
type SendRoute = {
  fbUserId: string
  platform: 'messenger' | 'instagram'
  token: string
  storedToken: string
  /** The network refused the token earlier. */
  isMarked: boolean
  replyWindow: ReplyWindow['state']
  /** Null for a text. */
  file: OutgoingFile | null
}
