import type { CommentNews } from '../../domain/list/comment-news.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { lineOf, newMessagesIn, type Sender } from '../../domain/list/new-messages.ts'
import {
  commentNotices,
  defaultSettings,
  isWanted,
  mentionNotice,
  type Notice,
  newMessageNotices,
  returnedNotice,
  wantsComments,
} from '../../domain/list/notices.ts'
import { idsOfMessage, isSameConversation, rowIdIn, rowIn } from '../../domain/list/records.ts'
import type { MessageChange, StateReport } from '../../domain/shell/changes.ts'
import { isQuiet } from '../../domain/shell/quiet-hours.ts'
import type { NoteChange } from '../../domain/thread/colleague-calls.ts'
import type { NotificationSettings, SavedNotificationSettings } from '../../schemas/notification-settings.ts'
import { commentsTag } from '../../schemas/web-push.ts'
import { recordsIn } from '../list/records.ts'
import { memberNameIn } from '../list/team.ts'
import type { System } from '../system.ts'

/**
 * The fields of the context of the machine `notifications` that decide which notices it raises. It raises none before the
 * settings are known or in quiet hours.
 */
export type NoticeContext = {
  userId: string
  /** The open conversation. */
  id: string | null
  /** Null until the first answer. */
  saved: SavedNotificationSettings | null
  /** When the last snooze ended of each conversation that was notified about, by id. */
  returned: Readonly<Record<string, string>>
  now: () => number
}

/** `isHere`: the person looks at this tab. */
type Here = { isHere: boolean }
export type StatesParams = { changes: readonly StateReport[] } & Here
export type NoteParams = { change: NoteChange } & Here
/** `isOpen`: this tab is visible and shows the thread. */
export type AnnouncedComments = readonly (CommentNews & { isOpen: boolean })[]
export type CommentsParams = { news: AnnouncedComments } & Here

/** In milliseconds. An older end of a snooze is known from an earlier connection. */
const returnAge = 120_000

/** The saved settings, or those of a person who has saved none. Null until the answer of the server. */
export const settingsOf = ({ saved }: NoticeContext): NotificationSettings | null =>
  saved === null ? null : (saved.settings ?? defaultSettings('UTC'))

export const isOfOpen = (system: System, { id }: NoticeContext, other: string): boolean =>
  id !== null && isSameConversation(recordsIn(system), id, other)

/** The settings by which something may be raised now; null in quiet hours and while the settings are not known. */
function settingsNow(context: NoticeContext): NotificationSettings | null {
  const settings = settingsOf(context)
  return settings === null || isQuiet(settings.quiet, context.now()) ? null : settings
}

export function noticesOfMessages(system: System, context: NoticeContext, senders: readonly Sender[]): Notice[] {
  const settings = settingsNow(context)
  if (settings === null) return []
  const records = recordsIn(system)
  const wanted = senders.flatMap((sender) => {
    if (!isWanted(settings, rowIn(records, [sender.id])?.state, context.userId)) return []
    return [{ ...sender, id: rowIdIn(records, [sender.id]) ?? sender.id }]
  })
  return newMessageNotices(wanted, settings.showsText)
}

/** The new messages of the open conversation. */
export const sendersOfOpen = (
  system: System,
  context: NoticeContext,
  changes: readonly MessageChange[],
): readonly Sender[] =>
  newMessagesIn(changes).flatMap((message) => {
    const records = recordsIn(system)
    const [id, row] = [rowIdIn(records, idsOfMessage(message)), rowIn(records, idsOfMessage(message))]
    if (row === null || id === null || !isOfOpen(system, context, id)) return []
    return [{ id, name: nameOf(row), line: lineOf(message) }]
  })

/** The conversations whose snooze ended by time just now, and that were not notified about. */
const endedSnoozes = ({ now, returned }: NoticeContext, changes: readonly StateReport[]) =>
  changes.flatMap(({ id, state, changedBy }) => {
    const at = state.returned_at
    const isNew = at !== null && now() - Date.parse(at) < returnAge && returned[id] !== at
    return isNew && changedBy === null ? [{ id, at, state }] : []
  })

/** The ended snoozes to remember: these and the earlier recent ones. */
export function rememberedSnoozes(
  context: NoticeContext,
  changes: readonly StateReport[],
): Readonly<Record<string, string>> {
  const ended = endedSnoozes(context, changes).map(({ id, at }) => [id, at] as const)
  if (ended.length === 0) return context.returned
  const kept = Object.entries(context.returned).filter(([, at]) => context.now() - Date.parse(at) < returnAge)
  return Object.fromEntries([...kept, ...ended])
}

export function noticesOfSnoozes(system: System, context: NoticeContext, { changes, isHere }: StatesParams): Notice[] {
  const settings = settingsNow(context)
  if (settings === null) return []
  return endedSnoozes(context, changes).flatMap(({ id, state }) => {
    if (!isWanted(settings, state, context.userId) || (isHere && isOfOpen(system, context, id))) return []
    const row = rowIn(recordsIn(system), [id])
    return [returnedNotice(rowIdIn(recordsIn(system), [id]) ?? id, row && nameOf(row))]
  })
}

export function noticesOfNote(system: System, context: NoticeContext, { change, isHere }: NoteParams): Notice[] {
  const settings = settingsNow(context)
  if (settings === null || !settings.mentions || change.type === 'DELETE') return []
  const { staff_id, mentions, primary_user_id, text } = change.note
  if (staff_id === context.userId || !mentions.includes(context.userId)) return []
  if (isHere && isOfOpen(system, context, primary_user_id)) return []
  const id = rowIdIn(recordsIn(system), [primary_user_id]) ?? primary_user_id
  return [mentionNotice(id, memberNameIn(system, staff_id), text, settings.showsText)]
}

const commentsElsewhere = ({ news, isHere }: CommentsParams) => news.filter(({ isOpen }) => !(isHere && isOpen))

export function noticesOfComments(context: NoticeContext, announced: CommentsParams): Notice[] {
  const settings = settingsNow(context)
  if (settings === null || !wantsComments(settings)) return []
  return commentNotices(commentsElsewhere(announced), settings.showsText)
}

/** The threads of the one notification about many comments; null if there is none. */
export function gatheredThreads(context: NoticeContext, announced: CommentsParams): readonly string[] | null {
  const isGathered = noticesOfComments(context, announced).some(({ tag }) => tag === commentsTag(null))
  return isGathered ? commentsElsewhere(announced).map(({ threadId }) => threadId) : null
}
