import { networkReaction, reactionsOn, takesReactions } from '../../../src/domain/thread/reactions.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import type { PageCalls } from '../graph/page-calls.ts'
import { storeReactions } from '../store/message-events.ts'
import { pageInactive, refusalOf, SendRefused } from './send-refusals.ts'

export type Reacting = ReturnType<typeof createReacting>

/** Reactions that staff give for a page (feature 'reactions'). */
export function createReacting({
  db,
  graph,
  calls,
  clock,
}: {
  db: Db
  graph: Pick<Graph, 'act'>
  calls: Pick<PageCalls, 'call'>
  clock: Pick<Clock, 'now'>
}) {
  const find = (messageId: string) =>
    db
      .selectFrom('messages')
      .innerJoin('fb_users', 'fb_users.id', 'messages.fb_user_id')
      .innerJoin('pages', 'pages.page_id', 'messages.page_id')
      .select((select) => [
        'fb_users.id as fbUserId',
        'fb_users.psid',
        'fb_users.platform',
        'pages.page_id as pageId',
        'pages.is_active as isActive',
        select
          .selectFrom('messages as incoming')
          .select((newest) => newest.fn.max('timestamp_fb').as('at'))
          .whereRef('incoming.fb_user_id', '=', 'fb_users.id')
          .where('direction', '=', 'incoming')
          .as('lastIncomingAt'),
      ])
      .where('message_id', '=', messageId)
      .executeTakeFirst()

  return {
    /**
     * Sets or takes back (null) the page's reaction to a message. Repeating it changes nothing. False if there is no such
     * message. Throws SendRefused.
     */
    async react(messageId: string, emoji: string | null): Promise<boolean> {
      const found = await find(messageId)
      if (found === undefined) return false
      const { fbUserId, psid, platform, pageId, isActive, lastIncomingAt } = found
      if (!isActive) throw pageInactive()
      if (emoji !== null && !reactionsOn(platform).includes(emoji)) throw reactionNotOffered()
      if (!takesReactions(lastIncomingAt?.toISOString(), clock.now())) throw tooLateToReact()
      const reaction = emoji === null ? null : networkReaction(platform, emoji)
      try {
        await calls.call(pageId, { paced: false }, (token) =>
          graph.act(token, { pageId, psid }, { action: 'react', messageId, reaction }),
        )
      } catch (error) {
        throw reactionRefusalOf(error)
      }
      const at = new Date(clock.now()).toISOString()
      await inTransaction(db, (trx) => storeReactions(trx, [{ messageId, fbUserId, by: 'page', emoji, at }]))
      return true
    },
  }
}

const reactionNotOffered = () =>
  new SendRefused(422, 'REACTION_NOT_OFFERED', 'The network does not take this reaction from pages.')

const tooLateToReact = () =>
  new SendRefused(
    422,
    'TOO_LATE_TO_REACT',
    'The network takes reactions within 24 hours of the last message of the person only.',
  )

function reactionRefusalOf(error: unknown): unknown {
  if (!(error instanceof GraphError)) return refusalOf(error)
  if (error.uncertain)
    return new SendRefused(504, 'NO_ANSWER', 'The network did not confirm the reaction. Please try again.')
  if (error.refusal === 'refused')
    return new SendRefused(422, `NETWORK_${error.code}`, 'The network refused the reaction.')
  return refusalOf(error)
}
